// What every handle of one coroutine_consumer shares.
#pragma once

#include <memory>
#include <utility>

#include <strandline/coroutine_scheduler.hpp>

#include "client/consumer_state.hpp"

namespace strandline::client {

class coroutine_home {
public:
    coroutine_home(std::shared_ptr<consumer_state> consumer, coroutine_scheduler& where) noexcept
        : state(std::move(consumer)), scheduler(where) {}

    const std::shared_ptr<consumer_state> state;
    coroutine_scheduler& scheduler;
};

}  // namespace strandline::client
