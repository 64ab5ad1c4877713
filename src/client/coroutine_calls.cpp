// The façade of the calls that are awaited: makes them, and leaves the rest to whoever drives them.
#include <utility>

#include <strandline/coroutine.hpp>

#include "client/made_call.hpp"
#include "client/operations/assign.hpp"
#include "client/operations/commit.hpp"
#include "client/operations/commit_async.hpp"
#include "client/operations/committed.hpp"
#include "client/operations/list_offsets.hpp"
#include "client/operations/pause.hpp"
#include "client/operations/position.hpp"
#include "client/operations/seek.hpp"
#include "client/operations/subscribe.hpp"
#include "client/operations/topics.hpp"
#include "client/operations/unsubscribe.hpp"

namespace strandline::inline v0 {

namespace {

namespace command = core::boundary::command;

using client::make;

client::any_listener any_of(coroutine_listener_handle&& listener) {
    const auto taken = std::move(listener);
    if (!taken.get()) return {};
    return taken.get();
}

client::any_commit_callback any_of(coroutine_commit_callback done) {
    if (!done) return {};
    return done;
}

}  // namespace

coroutine_calls::coroutine_calls(std::shared_ptr<client::coroutine_home> home, std::uint64_t frame) noexcept
    : looking_calls(home->state), home_(std::move(home)), frame_(frame) {}
coroutine_calls::coroutine_calls(const coroutine_calls&) noexcept = default;
coroutine_calls::coroutine_calls(coroutine_calls&&) noexcept = default;
coroutine_calls& coroutine_calls::operator=(const coroutine_calls&) noexcept = default;
coroutine_calls& coroutine_calls::operator=(coroutine_calls&&) noexcept = default;
coroutine_calls::~coroutine_calls() = default;

awaitable<void> coroutine_calls::subscribe(std::vector<std::string> topics, coroutine_listener_handle listener) {
    if (topics.empty()) return unsubscribe();
    return make<client::subscribe_call>(home_, frame_, command::subscribe{std::move(topics), {}, {}, false},
                                        any_of(std::move(listener)));
}
awaitable<void> coroutine_calls::subscribe(const topic_pattern& pattern, coroutine_listener_handle listener) {
    return make<client::subscribe_call>(home_, frame_, command::subscribe{{}, {}, pattern.text(), false},
                                        any_of(std::move(listener)));
}
awaitable<void> coroutine_calls::subscribe(const subscription_pattern& pattern, coroutine_listener_handle listener) {
    return make<client::subscribe_call>(home_, frame_, command::subscribe{{}, pattern.text(), {}, false},
                                        any_of(std::move(listener)));
}
awaitable_result<void> coroutine_calls::try_subscribe(std::vector<std::string> topics,
                                                      coroutine_listener_handle listener) {
    if (topics.empty()) return try_unsubscribe();
    return make<client::subscribe_call>(home_, frame_, command::subscribe{std::move(topics), {}, {}, false},
                                        any_of(std::move(listener)));
}
awaitable_result<void> coroutine_calls::try_subscribe(const topic_pattern& pattern,
                                                      coroutine_listener_handle listener) {
    return make<client::subscribe_call>(home_, frame_, command::subscribe{{}, {}, pattern.text(), false},
                                        any_of(std::move(listener)));
}
awaitable_result<void> coroutine_calls::try_subscribe(const subscription_pattern& pattern,
                                                      coroutine_listener_handle listener) {
    return make<client::subscribe_call>(home_, frame_, command::subscribe{{}, pattern.text(), {}, false},
                                        any_of(std::move(listener)));
}

awaitable<void> coroutine_calls::unsubscribe(timeout within) {
    return make<client::unsubscribe_call>(home_, frame_, within);
}
awaitable_result<void> coroutine_calls::try_unsubscribe(timeout within) {
    return make<client::unsubscribe_call>(home_, frame_, within);
}
awaitable<void> coroutine_calls::assign(partitions wanted) {
    return make<client::assign_call>(home_, frame_, std::move(wanted));
}
awaitable_result<void> coroutine_calls::try_assign(partitions wanted) {
    return make<client::assign_call>(home_, frame_, std::move(wanted));
}
awaitable<void> coroutine_calls::commit(timeout within) {
    return make<client::commit_processed_call>(home_, frame_, within);
}
awaitable_result<void> coroutine_calls::try_commit(timeout within) {
    return make<client::commit_processed_call>(home_, frame_, within);
}
awaitable<void> coroutine_calls::commit(const record& up_to, timeout within) {
    return make<client::commit_up_to_call>(home_, frame_, up_to.batch_ ? up_to.batch_->progress : nullptr,
                                           up_to.offset() + 1, within);
}
awaitable_result<void> coroutine_calls::try_commit(const record& up_to, timeout within) {
    return make<client::commit_up_to_call>(home_, frame_, up_to.batch_ ? up_to.batch_->progress : nullptr,
                                           up_to.offset() + 1, within);
}
awaitable<void> coroutine_calls::commit(offsets named, timeout within) {
    return make<client::commit_named_call>(home_, frame_, std::move(named), within);
}
awaitable_result<void> coroutine_calls::try_commit(offsets named, timeout within) {
    return make<client::commit_named_call>(home_, frame_, std::move(named), within);
}
awaitable<void> coroutine_calls::commit_async(coroutine_commit_callback done) {
    return make<client::commit_async_call>(home_, frame_, std::nullopt, any_of(std::move(done)));
}
awaitable_result<void> coroutine_calls::try_commit_async(coroutine_commit_callback done) {
    return make<client::commit_async_call>(home_, frame_, std::nullopt, any_of(std::move(done)));
}
awaitable<void> coroutine_calls::commit_async(offsets named, coroutine_commit_callback done) {
    return make<client::commit_async_call>(home_, frame_, std::move(named), any_of(std::move(done)));
}
awaitable_result<void> coroutine_calls::try_commit_async(offsets named, coroutine_commit_callback done) {
    return make<client::commit_async_call>(home_, frame_, std::move(named), any_of(std::move(done)));
}
awaitable<void> coroutine_calls::seek(topic_partition partition, std::int64_t offset) {
    return make<client::seek_call>(home_, frame_, std::move(partition), offset_and_metadata(offset));
}
awaitable_result<void> coroutine_calls::try_seek(topic_partition partition, std::int64_t offset) {
    return make<client::seek_call>(home_, frame_, std::move(partition), offset_and_metadata(offset));
}
awaitable<void> coroutine_calls::seek(topic_partition partition, offset_and_metadata position) {
    return make<client::seek_call>(home_, frame_, std::move(partition), std::move(position));
}
awaitable_result<void> coroutine_calls::try_seek(topic_partition partition, offset_and_metadata position) {
    return make<client::seek_call>(home_, frame_, std::move(partition), std::move(position));
}
awaitable<void> coroutine_calls::seek_to_beginning(partitions which) {
    return make<client::seek_to_call>(home_, frame_, client::log_end::beginning, std::move(which));
}
awaitable_result<void> coroutine_calls::try_seek_to_beginning(partitions which) {
    return make<client::seek_to_call>(home_, frame_, client::log_end::beginning, std::move(which));
}
awaitable<void> coroutine_calls::seek_to_end(partitions which) {
    return make<client::seek_to_call>(home_, frame_, client::log_end::end, std::move(which));
}
awaitable_result<void> coroutine_calls::try_seek_to_end(partitions which) {
    return make<client::seek_to_call>(home_, frame_, client::log_end::end, std::move(which));
}
awaitable<std::int64_t> coroutine_calls::position(topic_partition partition, timeout within) {
    return make<client::position_call>(home_, frame_, std::move(partition), within);
}
awaitable_result<std::int64_t> coroutine_calls::try_position(topic_partition partition, timeout within) {
    return make<client::position_call>(home_, frame_, std::move(partition), within);
}
awaitable<void> coroutine_calls::pause(partitions which) {
    return make<client::pause_call>(home_, frame_, client::pause_call::what::pause, std::move(which));
}
awaitable_result<void> coroutine_calls::try_pause(partitions which) {
    return make<client::pause_call>(home_, frame_, client::pause_call::what::pause, std::move(which));
}
awaitable<void> coroutine_calls::resume(partitions which) {
    return make<client::pause_call>(home_, frame_, client::pause_call::what::resume, std::move(which));
}
awaitable_result<void> coroutine_calls::try_resume(partitions which) {
    return make<client::pause_call>(home_, frame_, client::pause_call::what::resume, std::move(which));
}
awaitable<offsets> coroutine_calls::committed(partitions which, timeout within) {
    return make<client::committed_call>(home_, frame_, std::move(which), within);
}
awaitable_result<offsets> coroutine_calls::try_committed(partitions which, timeout within) {
    return make<client::committed_call>(home_, frame_, std::move(which), within);
}
awaitable<coroutine_calls::offsets_by_time> coroutine_calls::offsets_for_times(
    std::map<topic_partition, time_point> times, timeout within) {
    return make<client::offsets_for_times_call>(home_, frame_, std::move(times), within);
}
awaitable_result<coroutine_calls::offsets_by_time> coroutine_calls::try_offsets_for_times(
    std::map<topic_partition, time_point> times, timeout within) {
    return make<client::offsets_for_times_call>(home_, frame_, std::move(times), within);
}
awaitable<coroutine_calls::offset_by_partition> coroutine_calls::beginning_offsets(partitions which, timeout within) {
    return make<client::log_ends_call>(home_, frame_, client::log_end::beginning, std::move(which), within);
}
awaitable_result<coroutine_calls::offset_by_partition> coroutine_calls::try_beginning_offsets(partitions which,
                                                                                              timeout within) {
    return make<client::log_ends_call>(home_, frame_, client::log_end::beginning, std::move(which), within);
}
awaitable<coroutine_calls::offset_by_partition> coroutine_calls::end_offsets(partitions which, timeout within) {
    return make<client::log_ends_call>(home_, frame_, client::log_end::end, std::move(which), within);
}
awaitable_result<coroutine_calls::offset_by_partition> coroutine_calls::try_end_offsets(partitions which,
                                                                                        timeout within) {
    return make<client::log_ends_call>(home_, frame_, client::log_end::end, std::move(which), within);
}
awaitable<std::vector<partition_info>> coroutine_calls::partitions_for(std::string topic, timeout within) {
    return make<client::partitions_for_call>(home_, frame_, std::move(topic), within);
}
awaitable_result<std::vector<partition_info>> coroutine_calls::try_partitions_for(std::string topic, timeout within) {
    return make<client::partitions_for_call>(home_, frame_, std::move(topic), within);
}
awaitable<coroutine_calls::partitions_by_topic> coroutine_calls::list_topics(timeout within) {
    return make<client::list_topics_call>(home_, frame_, within);
}
awaitable_result<coroutine_calls::partitions_by_topic> coroutine_calls::try_list_topics(timeout within) {
    return make<client::list_topics_call>(home_, frame_, within);
}

}  // namespace strandline::inline v0
