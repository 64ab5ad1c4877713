// Hears how the assignment changes.
#pragma once

#include <memory>
#include <utility>

#include <strandline/export.hpp>
#include <strandline/topic_partition.hpp>

namespace strandline::inline v0 {

class consumer_access;

// Called inside poll (and unsubscribe and close), on their thread. Listeners observe; the library makes the change,
// also when one throws: then that call fails with callback_failed, and close says so in its report. `access` has the
// consumer's calls, poll aside, and expires when the listener returns; plain calls on the consumer from the listener's
// own stack count as made through it.
class STRANDLINE_API rebalance_listener {
public:
    virtual ~rebalance_listener() = default;
    // Before any record of `added` is delivered: seek here. The first assignment of a membership is told even if there
    // is nothing in it.
    virtual void on_assigned(consumer_access access, const partitions& added);
    // Still ours, nothing more of them is delivered: commit here.
    virtual void on_revoked(consumer_access access, const partitions& leaving);
    // Somebody else's already: nothing can be committed. Calls on_revoked unless overridden.
    virtual void on_lost(consumer_access access, const partitions& gone);
};

// Which listener, and who owns it: a reference must outlive the subscription, a shared_ptr sees to it itself.
class listener_handle {
public:
    listener_handle() noexcept = default;
    listener_handle(rebalance_listener& listener) noexcept
        : listener_(std::shared_ptr<rebalance_listener>(), &listener) {}
    template <class Listener>
    listener_handle(std::shared_ptr<Listener> listener) noexcept : listener_(std::move(listener)) {}

    const std::shared_ptr<rebalance_listener>& get() const noexcept { return listener_; }

private:
    std::shared_ptr<rebalance_listener> listener_;
};

}  // namespace strandline::inline v0
