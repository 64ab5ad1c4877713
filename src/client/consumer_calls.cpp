// The façade of the calls: forwards, and throws where the caller chose to.
#include <utility>

#include <strandline/consumer_calls.hpp>

#include "client/operations.hpp"
#include "client/value_or_throw.hpp"

namespace strandline::inline v0 {

namespace {

namespace command = core::boundary::command;
using client::value_or_throw;

}  // namespace

consumer_calls::consumer_calls(std::shared_ptr<client::consumer_state> state, std::uint64_t frame) noexcept
    : looking_calls(std::move(state)), frame_(frame) {}

void consumer_calls::subscribe(const std::vector<std::string>& topics, const listener_handle& listener) {
    value_or_throw(try_subscribe(topics, listener));
}
void consumer_calls::subscribe(const topic_pattern& pattern, const listener_handle& listener) {
    value_or_throw(try_subscribe(pattern, listener));
}
void consumer_calls::subscribe(const subscription_pattern& pattern, const listener_handle& listener) {
    value_or_throw(try_subscribe(pattern, listener));
}
result<void> consumer_calls::try_subscribe(const std::vector<std::string>& topics, const listener_handle& listener) {
    if (topics.empty()) return try_unsubscribe();
    return client::subscribe(*state_, frame_, command::subscribe{topics, {}, {}, false}, listener);
}
result<void> consumer_calls::try_subscribe(const topic_pattern& pattern, const listener_handle& listener) {
    return client::subscribe(*state_, frame_, command::subscribe{{}, {}, pattern.text(), false}, listener);
}
result<void> consumer_calls::try_subscribe(const subscription_pattern& pattern, const listener_handle& listener) {
    return client::subscribe(*state_, frame_, command::subscribe{{}, pattern.text(), {}, false}, listener);
}
void consumer_calls::unsubscribe(timeout within) { value_or_throw(try_unsubscribe(within)); }
result<void> consumer_calls::try_unsubscribe(timeout within) { return client::unsubscribe(*state_, frame_, within); }
void consumer_calls::assign(const partitions& wanted) { value_or_throw(try_assign(wanted)); }
result<void> consumer_calls::try_assign(const partitions& wanted) { return client::assign(*state_, frame_, wanted); }

void consumer_calls::commit(timeout within) { value_or_throw(try_commit(within)); }
result<void> consumer_calls::try_commit(timeout within) { return client::commit_processed(*state_, frame_, within); }
void consumer_calls::commit(const record& up_to, timeout within) { value_or_throw(try_commit(up_to, within)); }
result<void> consumer_calls::try_commit(const record& up_to, timeout within) {
    auto* const part = up_to.batch_ ? up_to.batch_->progress : nullptr;
    return client::commit_up_to(*state_, frame_, part, up_to.offset() + 1, within);
}
void consumer_calls::commit(const offsets& named, timeout within) { value_or_throw(try_commit(named, within)); }
result<void> consumer_calls::try_commit(const offsets& named, timeout within) {
    return client::commit_named(*state_, frame_, named, within);
}
void consumer_calls::commit_async(commit_callback done) { value_or_throw(try_commit_async(std::move(done))); }
void consumer_calls::commit_async(const offsets& named, commit_callback done) {
    value_or_throw(try_commit_async(named, std::move(done)));
}
result<void> consumer_calls::try_commit_async(commit_callback done) {
    return client::commit_async(*state_, frame_, std::nullopt, std::move(done));
}
result<void> consumer_calls::try_commit_async(const offsets& named, commit_callback done) {
    return client::commit_async(*state_, frame_, named, std::move(done));
}

void consumer_calls::seek(const topic_partition& partition, std::int64_t offset) {
    value_or_throw(try_seek(partition, offset));
}
void consumer_calls::seek(const topic_partition& partition, const offset_and_metadata& position) {
    value_or_throw(try_seek(partition, position));
}
result<void> consumer_calls::try_seek(const topic_partition& partition, std::int64_t offset) {
    return client::seek(*state_, frame_, partition, offset_and_metadata(offset));
}
result<void> consumer_calls::try_seek(const topic_partition& partition, const offset_and_metadata& position) {
    return client::seek(*state_, frame_, partition, position);
}
void consumer_calls::seek_to_beginning(const partitions& which) { value_or_throw(try_seek_to_beginning(which)); }
void consumer_calls::seek_to_end(const partitions& which) { value_or_throw(try_seek_to_end(which)); }
result<void> consumer_calls::try_seek_to_beginning(const partitions& which) {
    return client::seek_to(*state_, frame_, client::log_end::beginning, which);
}
result<void> consumer_calls::try_seek_to_end(const partitions& which) {
    return client::seek_to(*state_, frame_, client::log_end::end, which);
}
std::int64_t consumer_calls::position(const topic_partition& partition, timeout within) {
    return value_or_throw(try_position(partition, within));
}
result<std::int64_t> consumer_calls::try_position(const topic_partition& partition, timeout within) {
    return client::position(*state_, frame_, partition, within);
}
void consumer_calls::pause(const partitions& which) { value_or_throw(try_pause(which)); }
void consumer_calls::resume(const partitions& which) { value_or_throw(try_resume(which)); }
result<void> consumer_calls::try_pause(const partitions& which) { return client::pause(*state_, frame_, which); }
result<void> consumer_calls::try_resume(const partitions& which) { return client::resume(*state_, frame_, which); }

offsets consumer_calls::committed(const partitions& which, timeout within) {
    return value_or_throw(try_committed(which, within));
}
result<offsets> consumer_calls::try_committed(const partitions& which, timeout within) {
    return client::committed(*state_, frame_, which, within);
}
consumer_calls::offsets_by_time consumer_calls::offsets_for_times(const std::map<topic_partition, time_point>& times,
                                                                  timeout within) {
    return value_or_throw(try_offsets_for_times(times, within));
}
result<consumer_calls::offsets_by_time> consumer_calls::try_offsets_for_times(
    const std::map<topic_partition, time_point>& times, timeout within) {
    return client::offsets_for_times(*state_, frame_, times, within);
}
std::map<topic_partition, std::int64_t> consumer_calls::beginning_offsets(const partitions& which, timeout within) {
    return value_or_throw(try_beginning_offsets(which, within));
}
std::map<topic_partition, std::int64_t> consumer_calls::end_offsets(const partitions& which, timeout within) {
    return value_or_throw(try_end_offsets(which, within));
}
result<std::map<topic_partition, std::int64_t>> consumer_calls::try_beginning_offsets(const partitions& which,
                                                                                      timeout within) {
    return client::log_ends(*state_, frame_, client::log_end::beginning, which, within);
}
result<std::map<topic_partition, std::int64_t>> consumer_calls::try_end_offsets(const partitions& which,
                                                                                timeout within) {
    return client::log_ends(*state_, frame_, client::log_end::end, which, within);
}
std::vector<partition_info> consumer_calls::partitions_for(const std::string& topic, timeout within) {
    return value_or_throw(try_partitions_for(topic, within));
}
result<std::vector<partition_info>> consumer_calls::try_partitions_for(const std::string& topic, timeout within) {
    return client::partitions_for(*state_, frame_, topic, within);
}
std::map<std::string, std::vector<partition_info>> consumer_calls::list_topics(timeout within) {
    return value_or_throw(try_list_topics(within));
}
result<std::map<std::string, std::vector<partition_info>>> consumer_calls::try_list_topics(timeout within) {
    return client::list_topics(*state_, frame_, within);
}

}  // namespace strandline::inline v0
