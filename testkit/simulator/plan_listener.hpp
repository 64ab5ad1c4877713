// The rebalance listener of a fault plan's applications.
#pragma once

#include <chrono>
#include <stdexcept>
#include <utility>

#include "testkit/simulator/application.hpp"
#include "testkit/simulator/told_calls.hpp"

namespace strandline::testkit::sim {

// Commits when it has to give partitions up, unless it is told to be slow or to throw.
class plan_listener final : public coroutine_listener {
public:
    explicit plan_listener(application& self) : self_(self) {}

    callback_task on_assigned(coroutine_access, const partitions&) override {
        if (is_slow()) co_await self_.sleep(self_.mood().callback_delay);
        throw_if_wanted();
    }
    callback_task on_revoked(coroutine_access access, const partitions&) override {
        if (is_slow()) co_await self_.sleep(self_.mood().callback_delay);
        throw_if_wanted();
        observed::call_begun begun;
        begun.what = observed::call_kind::commit;
        begun.deadline = self_.now() + std::chrono::seconds(5);
        static_cast<void>(co_await told(self_, std::move(begun), access.try_commit(std::chrono::seconds(5))));
    }
    callback_task on_lost(coroutine_access, const partitions&) override {
        if (is_slow()) co_await self_.sleep(self_.mood().callback_delay);
        throw_if_wanted();
    }

private:
    bool is_slow() const { return self_.now() < self_.mood().slow_callbacks_until; }
    void throw_if_wanted() const {
        if (self_.now() < self_.mood().throwing_until) throw std::runtime_error("the listener was told to throw");
    }

    application& self_;
};

}  // namespace strandline::testkit::sim
