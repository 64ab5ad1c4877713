#include "core/explain/wait_words.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "core/exchange/failure_cause.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/wait_reason.hpp"
#include "core/explain/network_search.hpp"

namespace strandline::core::explain {

namespace {

using exchange::wait_reason;

// What the subject of a reason is.
enum class subject : std::uint8_t { none, broker, request, callback, stage, failure };

subject subject_of(wait_reason why) noexcept {
    switch (why) {
        case wait_reason::broker_connecting:
        case wait_reason::broker_backing_off:
        case wait_reason::coordinator_unreachable:
        case wait_reason::throttled: return subject::broker;
        case wait_reason::response:
        case wait_reason::coordinator_search:
        case wait_reason::leave_answer: return subject::request;
        case wait_reason::listener: return subject::callback;
        case wait_reason::closing: return subject::stage;
        case wait_reason::backoff: return subject::failure;
        default: return subject::none;
    }
}

}  // namespace

std::string_view manager_name(kernel::manager_index manager) noexcept {
    constexpr std::array<std::string_view, exchange::manager::count> names{
        "close",     "metadata",      "coordinator lookup", "group membership", "commits",
        "positions", "offset lookup", "fetching",           "connections"};
    return manager < names.size() ? names[manager] : "?";
}

std::string wait_words(kernel::reason why) {
    const auto reason = static_cast<wait_reason>(why.code);
    std::string text(exchange::words(reason));
    switch (subject_of(reason)) {
        case subject::none: break;
        case subject::broker: {
            constexpr std::string_view placeholder = "broker";
            text.resize(text.size() - placeholder.size());
            text += broker_name(protocol::broker_id(static_cast<std::int32_t>(why.subject)));
            break;
        }
        case subject::request:
        case subject::callback:
        case subject::stage: text += " " + std::to_string(why.subject); break;
        case subject::failure: {
            const auto failed = exchange::to_string(exchange::failure_cause::from_subject(why.subject));
            if (!failed.empty()) text += ": " + failed;
            break;
        }
    }
    return text;
}

std::string broker_name(protocol::broker_id broker) {
    return broker.value() < 0 ? "a bootstrap server" : "broker " + std::to_string(broker.value());
}

std::string broker_name(protocol::broker_id broker, const boundary::network_snapshot& network) {
    const auto* const known = find_broker(network, broker);
    const auto address = known && known->address ? *known->address : std::string();
    if (address.empty()) return broker_name(broker);
    return broker.value() < 0 ? "bootstrap server " + address : fmt::format("{} ({})", broker_name(broker), address);
}

std::string seconds(base::duration time) {
    return fmt::format("{:.1f} s", std::chrono::duration<double>(std::max(time, base::duration::zero())).count());
}

}  // namespace strandline::core::explain
