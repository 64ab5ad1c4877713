// The consumer for coroutines: no thread is blocked, no event loop is prescribed.
#pragma once

#include <chrono>

#include <strandline/close.hpp>
#include <strandline/coroutine_calls.hpp>
#include <strandline/coroutine_listener.hpp>
#include <strandline/coroutine_scheduler.hpp>
#include <strandline/export.hpp>
#include <strandline/records.hpp>

namespace strandline {
namespace client {
class awaited_call;
struct coroutine_parts;
}  // namespace client

inline namespace v0 {

// A handle, given by value to every callback; it may be kept in other coroutines of the same scheduler. Its calls run
// one after the other, in the order they are awaited. When the callback ends it expires: calls then fail with
// access_expired, and one that runs is awaited first.
class STRANDLINE_API coroutine_access : public coroutine_calls {
private:
    friend class client::awaited_call;
    using coroutine_calls::coroutine_calls;
};

// As consumer, with calls that are awaited:
//     for (const record& each : co_await consumer.poll(1s)) ...
// Each works in any type of coroutine and resumes it on the scheduler that the consumer was given. Whoever awaits a
// poll counts as alive. Movable.
class STRANDLINE_API coroutine_consumer : public coroutine_calls {
public:
    coroutine_consumer(coroutine_consumer&&) noexcept = default;
    coroutine_consumer& operator=(coroutine_consumer&&) noexcept = default;
    // Never waits: what has not been closed ends abruptly, once no call is awaited any more. Nothing is committed, and
    // the group learns of it by the session timeout.
    ~coroutine_consumer() = default;

    awaitable<polled_records> poll(std::chrono::milliseconds wait);
    awaitable_result<polled_records> try_poll(std::chrono::milliseconds wait);
    awaitable<close_report> close(timeout within = {}, group_membership membership = group_membership::by_default);
    awaitable_result<close_report> try_close(timeout within = {},
                                             group_membership membership = group_membership::by_default);

private:
    friend struct client::coroutine_parts;
    using coroutine_calls::coroutine_calls;
};

}  // namespace v0
}  // namespace strandline
