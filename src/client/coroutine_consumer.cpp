#include <memory>
#include <utility>

#include <strandline/coroutine.hpp>

#include "client/coroutine_parts.hpp"
#include "client/made_call.hpp"
#include "client/operations/close.hpp"
#include "client/operations/poll.hpp"

namespace strandline::client {

result<coroutine_consumer> coroutine_parts::make(const consumer_config& config) const {
    auto state = consumer_state::create(config, make_runtime, clock);
    if (!state) return tl::unexpected(std::move(state.error()));
    return coroutine_consumer(std::make_shared<coroutine_home>(std::move(*state), scheduler), access::root_frame);
}

consumer_state& coroutine_parts::state_of(coroutine_consumer& consumer) noexcept { return *consumer.home_->state; }

}  // namespace strandline::client

namespace strandline::inline v0 {

namespace {

using client::make;

}  // namespace

awaitable<polled_records> coroutine_consumer::poll(std::chrono::milliseconds wait) {
    return make<client::poll_call>(home_, wait);
}
awaitable_result<polled_records> coroutine_consumer::try_poll(std::chrono::milliseconds wait) {
    return make<client::poll_call>(home_, wait);
}
awaitable<close_report> coroutine_consumer::close(timeout within, group_membership membership) {
    return make<client::close_call>(home_, access::root_frame, within, membership);
}
awaitable_result<close_report> coroutine_consumer::try_close(timeout within, group_membership membership) {
    return make<client::close_call>(home_, access::root_frame, within, membership);
}

callback_task coroutine_listener::on_assigned(coroutine_access, const partitions&) { co_return; }
callback_task coroutine_listener::on_revoked(coroutine_access, const partitions&) { co_return; }
callback_task coroutine_listener::on_lost(coroutine_access access, const partitions& gone) {
    return on_revoked(std::move(access), gone);
}

template <class Value>
basic_awaitable<Value>::basic_awaitable(std::shared_ptr<client::awaited_value<Value>> call) noexcept
    : call_(std::move(call)) {}
template <class Value>
basic_awaitable<Value>::basic_awaitable(basic_awaitable&& other) noexcept = default;
template <class Value>
basic_awaitable<Value>::~basic_awaitable() {
    if (call_) call_->abandon();
}
template <class Value>
void basic_awaitable<Value>::await_suspend(std::coroutine_handle<> whom) {
    call_->start(whom);
}
template <class Value>
result<Value> basic_awaitable<Value>::take_result() {
    return call_->take_result();
}

template class basic_awaitable<void>;
template class basic_awaitable<polled_records>;
template class basic_awaitable<close_report>;
template class basic_awaitable<offsets>;
template class basic_awaitable<std::int64_t>;
template class basic_awaitable<std::map<topic_partition, std::optional<offset_and_timestamp>>>;
template class basic_awaitable<std::map<topic_partition, std::int64_t>>;
template class basic_awaitable<std::vector<partition_info>>;
template class basic_awaitable<std::map<std::string, std::vector<partition_info>>>;

}  // namespace strandline::inline v0
