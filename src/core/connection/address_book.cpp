#include "core/connection/address_book.hpp"

#include <algorithm>
#include <arpa/inet.h>

namespace strandline::core::connection {

std::optional<std::string> literal_address(std::string_view host) {
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    const std::string address(host);
    const std::string without_zone = address.substr(0, address.find('%'));
    in6_addr parsed{};
    if (inet_pton(AF_INET, address.c_str(), &parsed) == 1) return address;
    if (inet_pton(AF_INET6, without_zone.c_str(), &parsed) == 1) return address;
    return std::nullopt;
}

std::optional<std::vector<ip_endpoint>> address_book::find(const boundary::host_port& name) const {
    if (auto literal = literal_address(name.host)) return std::vector{ip_endpoint{*std::move(literal), name.port}};
    const auto it = known_.find(name);
    if (it == known_.end()) return std::nullopt;
    return it->second;
}

address_book::query address_book::look_up(const boundary::host_port& name) {
    if (const auto it = asked_.find(name); it != asked_.end()) return {it->second, false};
    const query_id id(++last_query_);
    asked_.emplace(name, id);
    return {id, true};
}

bool address_book::on_resolved(const name_resolved& answer) {
    const auto it =
        std::find_if(asked_.begin(), asked_.end(), [&](const auto& asked) { return asked.second == answer.id; });
    if (it == asked_.end()) return false;
    if (!answer.addresses.empty()) known_[it->first] = answer.addresses;
    asked_.erase(it);
    return true;
}

void address_book::prefer(const boundary::host_port& name, const ip_endpoint& address) {
    const auto known = known_.find(name);
    if (known == known_.end()) return;
    auto& addresses = known->second;
    const auto it = std::find(addresses.begin(), addresses.end(), address);
    if (it != addresses.end()) std::rotate(addresses.begin(), it, it + 1);
}

void address_book::clear() {
    known_.clear();
    asked_.clear();
}

}  // namespace strandline::core::connection
