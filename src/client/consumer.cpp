// The façade of the blocking consumer: forwards, and throws where the caller chose to.
#include <utility>

#include <strandline/consumer.hpp>

#include "client/operations.hpp"
#include "client/value_or_throw.hpp"

namespace strandline::inline v0 {

namespace {

using client::value_or_throw;

void close_bounded(client::consumer_state& state) noexcept {
    try {
        static_cast<void>(
            client::close(state, access::root_frame, state.config.close_timeout, group_membership::by_default));
    } catch (...) {  // NOLINT(bugprone-empty-catch): out of memory, at most; what is left goes with the state
    }
}

}  // namespace

consumer::consumer(const consumer_config& config)
    : consumer_calls(value_or_throw(client::consumer_state::create(config)), access::root_frame) {}

result<consumer> consumer::create(const consumer_config& config) {
    auto made = client::consumer_state::create(config);
    if (!made) return tl::unexpected(std::move(made.error()));
    return consumer(std::move(*made), access::root_frame);
}

consumer::consumer(consumer&&) noexcept = default;

consumer& consumer::operator=(consumer&& other) noexcept {
    if (this == &other) return *this;
    if (state_) close_bounded(*state_);
    consumer_calls::operator=(std::move(other));
    return *this;
}

consumer::~consumer() {
    if (state_) close_bounded(*state_);
}

polled_records consumer::poll(std::chrono::milliseconds wait) { return value_or_throw(try_poll(wait)); }

result<polled_records> consumer::try_poll(std::chrono::milliseconds wait) { return client::poll(*state_, wait); }

close_report consumer::close(strandline::timeout within, group_membership membership) {
    return value_or_throw(try_close(within, membership));
}

result<close_report> consumer::try_close(strandline::timeout within, group_membership membership) {
    return client::close(*state_, frame_, within, membership);
}

}  // namespace strandline::inline v0
