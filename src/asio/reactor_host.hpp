// One reactor on one thread of its own: what a blocking consumer stands on. No Asio type shows.
#pragma once

#include <memory>

#include "core/boundary/core_config.hpp"
#include "handoff/handoff.hpp"

namespace strandline::asio {

class reactor_host {
public:
    // The thread's name in every release, as the operating system shows it.
    static constexpr const char* thread_name = "strandline";

    // Starts the thread; throws std::system_error if there is none to be had, leaving nothing behind. No network I/O
    // happens before the application asks for something. `application` outlives the host.
    reactor_host(const core::boundary::core_config& config, handoff::handoff& application);
    // Abrupt: sockets close, what is outstanding fails with consumer_closed. After a close there is nothing left to be
    // abrupt about. Never called on the reactor's own thread.
    ~reactor_host();
    reactor_host(const reactor_host&) = delete;
    reactor_host& operator=(const reactor_host&) = delete;

private:
    class engine;  // NOLINT(cppcoreguidelines-virtual-class-destructor): it is final
    std::unique_ptr<engine> engine_;
};

}  // namespace strandline::asio
