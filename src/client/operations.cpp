#include "client/operations.hpp"

#include <memory>
#include <utility>

#include "client/blocking.hpp"
#include "client/operations/assign.hpp"
#include "client/operations/close.hpp"
#include "client/operations/commit.hpp"
#include "client/operations/commit_async.hpp"
#include "client/operations/committed.hpp"
#include "client/operations/pause.hpp"
#include "client/operations/poll.hpp"
#include "client/operations/position.hpp"
#include "client/operations/seek.hpp"
#include "client/operations/subscribe.hpp"
#include "client/operations/topics.hpp"
#include "client/operations/unsubscribe.hpp"

namespace strandline::client {

result<polled_records> poll(consumer_state& state, std::chrono::milliseconds timeout) {
    return end_of(poll_call(state, timeout));
}
result<close_report> close(consumer_state& state, frame_id frame, timeout within, group_membership membership) {
    return end_of(close_call(state, frame, within, membership));
}

result<void> subscribe(consumer_state& state, frame_id frame, core::boundary::command::subscribe what,
                       const listener_handle& listener) {
    any_listener told;
    if (listener.get()) told = listener.get();
    return end_of(subscribe_call(state, frame, std::move(what), std::move(told)));
}
result<void> unsubscribe(consumer_state& state, frame_id frame, timeout within) {
    return end_of(unsubscribe_call(state, frame, within));
}
result<void> assign(consumer_state& state, frame_id frame, const partitions& wanted) {
    return end_of(assign_call(state, frame, wanted));
}

result<void> commit_processed(consumer_state& state, frame_id frame, timeout within) {
    return end_of(commit_processed_call(state, frame, within));
}
result<void> commit_up_to(consumer_state& state, frame_id frame, part_progress* part, std::int64_t next,
                          timeout within) {
    return end_of(commit_up_to_call(state, frame, part, next, within));
}
result<void> commit_named(consumer_state& state, frame_id frame, const offsets& named, timeout within) {
    return end_of(commit_named_call(state, frame, named, within));
}
result<void> commit_async(consumer_state& state, frame_id frame, const std::optional<offsets>& named,
                          commit_callback done) {
    any_commit_callback told;
    if (done) told = std::move(done);
    return end_of(commit_async_call(state, frame, named, std::move(told)));
}
result<offsets> committed(consumer_state& state, frame_id frame, const partitions& which, timeout within) {
    return end_of(committed_call(state, frame, which, within));
}

result<void> seek(consumer_state& state, frame_id frame, const topic_partition& partition,
                  const offset_and_metadata& to) {
    return end_of(seek_call(state, frame, partition, to));
}
result<void> seek_to(consumer_state& state, frame_id frame, log_end where, const partitions& which) {
    return end_of(seek_to_call(state, frame, where, which));
}
result<std::int64_t> position(consumer_state& state, frame_id frame, const topic_partition& partition, timeout within) {
    return end_of(position_call(state, frame, partition, within));
}
result<void> pause(consumer_state& state, frame_id frame, const partitions& which) {
    return end_of(pause_call(state, frame, pause_call::what::pause, which));
}
result<void> resume(consumer_state& state, frame_id frame, const partitions& which) {
    return end_of(pause_call(state, frame, pause_call::what::resume, which));
}

result<consumer_calls::offsets_by_time> offsets_for_times(
    consumer_state& state, frame_id frame, const std::map<topic_partition, consumer_calls::time_point>& times,
    timeout within) {
    return end_of(offsets_for_times_call(state, frame, times, within));
}
result<std::map<topic_partition, std::int64_t>> log_ends(consumer_state& state, frame_id frame, log_end where,
                                                         const partitions& which, timeout within) {
    return end_of(log_ends_call(state, frame, where, which, within));
}
result<std::vector<partition_info>> partitions_for(consumer_state& state, frame_id frame, const std::string& topic,
                                                   timeout within) {
    return end_of(partitions_for_call(state, frame, topic, within));
}
result<std::map<std::string, std::vector<partition_info>>> list_topics(consumer_state& state, frame_id frame,
                                                                       timeout within) {
    return end_of(list_topics_call(state, frame, within));
}

}  // namespace strandline::client
