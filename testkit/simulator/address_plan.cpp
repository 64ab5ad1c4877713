#include "testkit/simulator/address_plan.hpp"

#include <charconv>

#include <fmt/format.h>

namespace strandline::testkit::sim {

namespace {

constexpr base::duration usual_delay = std::chrono::milliseconds(1);

std::optional<protocol::broker_id> number_behind(std::string_view text, std::string_view front) {
    if (!text.starts_with(front)) return std::nullopt;
    text.remove_prefix(front.size());
    std::int32_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return protocol::broker_id(number);
}

}  // namespace

std::string address_plan::host_of(protocol::broker_id broker) { return fmt::format("broker-{}", broker.value()); }

address_plan::broker_place& address_plan::place(protocol::broker_id broker) {
    const auto index = static_cast<std::size_t>(broker.value());
    if (places_.size() <= index) places_.resize(index + 1);
    return places_[index];
}

std::string address_plan::address(protocol::broker_id broker, int moves) {
    return fmt::format("10.0.{}.{}", moves, broker.value());
}

address_plan::answer address_plan::resolve(const core::boundary::host_port& name, base::instant now) {
    answer made{now < slow_until_ ? slow_ : usual_delay, {}, {}};
    const auto broker = number_behind(name.host, "broker-");
    if (!broker || now < place(*broker).no_name_until) {
        made.reason = fmt::format("{}: no such name", name.host);
        return made;
    }
    // As with a network whose IPv6 leads nowhere.
    if (now < place(*broker).dead_until) made.addresses.push_back({"fd00::1", name.port});
    const auto& there = place(*broker);
    made.addresses.push_back({address(*broker, now < there.moves_known ? there.moves - 1 : there.moves), name.port});
    return made;
}

std::optional<protocol::broker_id> address_plan::broker_at(const core::connection::ip_endpoint& address) {
    const auto dot = address.address.rfind('.');
    if (dot == std::string::npos || address.port != broker_port) return std::nullopt;
    const auto broker = number_behind(address.address, address.address.substr(0, dot + 1));
    if (!broker || *broker < protocol::broker_id(1) || address_of(*broker) != address.address) return std::nullopt;
    return broker;
}

}  // namespace strandline::testkit::sim
