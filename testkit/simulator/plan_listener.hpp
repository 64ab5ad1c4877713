// The rebalance listener of a fault plan's applications.
#pragma once

#include <chrono>
#include <stdexcept>
#include <utility>

#include "testkit/simulator/application.hpp"
#include "testkit/simulator/told_calls.hpp"

namespace strandline::testkit::sim {

// Commits when it has to give partitions up, and asks a few questions if it is one that asks, unless it is told to be
// slow or to throw.
class plan_listener final : public coroutine_listener {
public:
    plan_listener(application& self, bool asks) : self_(self), asks_(asks) {}

    callback_task on_assigned(coroutine_access, const partitions&) override {
        if (is_slow()) co_await self_.sleep(self_.mood().callback_delay);
        throw_if_wanted();
    }
    callback_task on_revoked(coroutine_access access, const partitions& which) override {
        if (is_slow()) co_await self_.sleep(self_.mood().callback_delay);
        throw_if_wanted();
        static_cast<void>(
            co_await told(self_, about(observed::call_kind::commit), access.try_commit(std::chrono::seconds(5))));
        if (!asks_ || which.empty()) co_return;
        static_cast<void>(co_await told(self_, about(observed::call_kind::committed),
                                        access.try_committed(which, std::chrono::seconds(5))));
        static_cast<void>(co_await told(self_, about(observed::call_kind::list_offsets),
                                        access.try_end_offsets(which, std::chrono::seconds(5))));
        static_cast<void>(co_await told(self_, about(observed::call_kind::partitions_for),
                                        access.try_partitions_for(which.front().topic, std::chrono::seconds(5))));
        static_cast<void>(co_await told(self_, about(observed::call_kind::list_topics),
                                        access.try_list_topics(std::chrono::seconds(5))));
        static_cast<void>(co_await told(self_, about(observed::call_kind::position),
                                        access.try_position(which.front(), std::chrono::seconds(5))));
    }
    callback_task on_lost(coroutine_access, const partitions&) override {
        if (is_slow()) co_await self_.sleep(self_.mood().callback_delay);
        throw_if_wanted();
    }

private:
    observed::call_begun about(observed::call_kind what) const {
        observed::call_begun begun;
        begun.what = what;
        begun.deadline = self_.now() + std::chrono::seconds(5);
        return begun;
    }
    bool is_slow() const { return self_.now() < self_.mood().slow_callbacks_until; }
    void throw_if_wanted() const {
        if (self_.now() < self_.mood().throwing_until) throw std::runtime_error("the listener was told to throw");
    }

    application& self_;
    const bool asks_;
};

}  // namespace strandline::testkit::sim
