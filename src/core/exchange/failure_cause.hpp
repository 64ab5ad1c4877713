// What made an attempt fail, as a number that fits the subject of a wait: a broker's error, or what became of the
// request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/exchange/request.hpp"
#include "protocol/broker_error.hpp"

namespace strandline::core::exchange {

class failure_cause {
public:
    constexpr failure_cause() noexcept = default;
    constexpr failure_cause(protocol::broker_error answered) noexcept
        : code_(of_broker | static_cast<std::uint16_t>(answered)) {}
    constexpr failure_cause(request_failure::kind unanswered) noexcept
        : code_(of_request | static_cast<std::uint16_t>(unanswered)) {}
    static constexpr failure_cause from_subject(std::uint64_t subject) noexcept {
        failure_cause made;
        made.code_ = subject;
        return made;
    }

    constexpr std::uint64_t subject() const noexcept { return code_; }
    constexpr bool is_known() const noexcept { return code_ != 0; }
    constexpr std::optional<protocol::broker_error> answered() const noexcept {
        if ((code_ & of_broker) == 0) return std::nullopt;
        return static_cast<protocol::broker_error>(static_cast<std::int16_t>(code_ & 0xffff));
    }
    constexpr std::optional<request_failure::kind> unanswered() const noexcept {
        if ((code_ & of_request) == 0) return std::nullopt;
        return static_cast<request_failure::kind>(code_ & 0xffff);
    }
    friend constexpr bool operator==(failure_cause, failure_cause) = default;

private:
    static constexpr std::uint64_t of_broker = 1U << 16;
    static constexpr std::uint64_t of_request = 1U << 17;
    std::uint64_t code_ = 0;
};

// "COORDINATOR_NOT_AVAILABLE(15), the coordinator is not available"; empty if nothing is known.
std::string to_string(failure_cause cause);

}  // namespace strandline::core::exchange
