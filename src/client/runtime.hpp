// What turns the reactor of a consumer: a thread of its own, or a test.
#pragma once

#include <functional>
#include <memory>

#include "core/boundary/core_config.hpp"
#include "handoff/handoff.hpp"

namespace strandline::client {

// Lives from construction to the end of close. Its destruction is abrupt: nothing turns any more.
class runtime {
public:
    virtual ~runtime() = default;
};

// May throw what starting a thread throws.
using runtime_factory =
    std::function<std::unique_ptr<runtime>(const core::boundary::core_config& config, handoff::handoff& meeting)>;

// One thread of its own, over Asio.
std::unique_ptr<runtime> make_threaded_runtime(const core::boundary::core_config& config, handoff::handoff& meeting);

}  // namespace strandline::client
