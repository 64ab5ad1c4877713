// Why managers wait, as codes with words. Each manager appends its own; explain() prints them.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/kernel/plan.hpp"

namespace strandline::core::exchange {

enum class wait_reason : std::uint16_t {
    nothing_to_do = 0,      // until a command or a change comes
    broker_connecting,      // subject: broker id
    broker_backing_off,     // subject: broker id
    no_broker_reachable,
    response,               // subject: request id
    backoff,                // after a failure
    closing,                // subject: step of the close plan
};

constexpr std::string_view words(wait_reason why) noexcept {
    switch (why) {
        case wait_reason::nothing_to_do: return "has nothing to do";
        case wait_reason::broker_connecting: return "awaits a connection to broker";
        case wait_reason::broker_backing_off: return "waits to reconnect to broker";
        case wait_reason::no_broker_reachable: return "waits because no broker is reachable";
        case wait_reason::response: return "awaits the answer to request";
        case wait_reason::backoff: return "waits before trying again";
        case wait_reason::closing: return "waits for a stage of close to end, number";
    }
    return "waits";
}

constexpr kernel::reason because(wait_reason why, std::uint64_t subject = 0) noexcept {
    return {static_cast<std::uint16_t>(why), subject};
}

}  // namespace strandline::core::exchange
