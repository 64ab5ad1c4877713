// Callbacks of a coroutine_consumer: coroutines, with an access whose calls are awaited.
#pragma once

#include <functional>
#include <memory>

#include <strandline/callback_task.hpp>
#include <strandline/consumer_calls.hpp>
#include <strandline/export.hpp>
#include <strandline/topic_partition.hpp>

namespace strandline::inline v0 {

class coroutine_access;

// As rebalance_listener. The call that runs a callback (a poll, unsubscribe or close that is being awaited) goes on
// when the callback's coroutine has ended. What is passed by reference stays until then; `access` expires with it.
// There is no stack to tell by here: the consumer is called through the access, plain calls on it count as concurrent.
class STRANDLINE_API coroutine_listener {
public:
    virtual ~coroutine_listener() = default;
    virtual callback_task on_assigned(coroutine_access access, const partitions& added);
    virtual callback_task on_revoked(coroutine_access access, const partitions& leaving);
    // Calls on_revoked unless overridden.
    virtual callback_task on_lost(coroutine_access access, const partitions& gone);
};

// Which listener, and who owns it: a reference must outlive the subscription, a shared_ptr sees to it itself.
class coroutine_listener_handle {
public:
    coroutine_listener_handle() noexcept = default;
    coroutine_listener_handle(coroutine_listener& listener) noexcept
        : listener_(std::shared_ptr<coroutine_listener>(), &listener) {}
    template <class Listener>
    coroutine_listener_handle(std::shared_ptr<Listener> listener) noexcept : listener_(std::move(listener)) {}

    const std::shared_ptr<coroutine_listener>& get() const noexcept { return listener_; }

private:
    std::shared_ptr<coroutine_listener> listener_;
};

// Exactly once per commit_async, inside a poll or close that is being awaited.
using coroutine_commit_callback = std::function<callback_task(coroutine_access access, const commit_result& result)>;

}  // namespace strandline::inline v0
