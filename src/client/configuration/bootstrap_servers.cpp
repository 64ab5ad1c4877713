#include "client/configuration/bootstrap_servers.hpp"

#include <fmt/format.h>

#include "client/configuration/property_text.hpp"

namespace strandline::client::configuration {

namespace {

tl::expected<core::boundary::host_port, std::string> read_one(std::string_view text) {
    // A listener prefix is what people copy from the broker's own settings.
    if (const auto scheme = text.find("://"); scheme != std::string_view::npos) text.remove_prefix(scheme + 3);
    const auto colon = text.rfind(':');
    const auto refuse = [&](std::string_view why) {
        return tl::unexpected(fmt::format("\"{}\" {}; write host:port, several separated by commas", text, why));
    };
    if (colon == std::string_view::npos) return refuse("has no port");
    auto host = text.substr(0, colon);
    const auto port = read_integer(text.substr(colon + 1));
    if (!port || *port < 1 || *port > 65535) return refuse("has no port between 1 and 65535");
    if (host.starts_with('[') && host.ends_with(']')) {
        host = host.substr(1, host.size() - 2);
    } else if (host.find(':') != std::string_view::npos) {
        return refuse("is an IPv6 address without brackets");
    }
    if (host.empty()) return refuse("has no host");
    if (host.find_first_of(" \t/") != std::string_view::npos) return refuse("is no host name");
    return core::boundary::host_port{std::string(host), static_cast<std::uint16_t>(*port)};
}

}  // namespace

tl::expected<std::vector<core::boundary::host_port>, std::string> read_bootstrap_servers(std::string_view text) {
    std::vector<core::boundary::host_port> servers;
    while (!text.empty()) {
        const auto comma = text.find(',');
        const auto one = trimmed(text.substr(0, comma));
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
        if (one.empty()) continue;
        auto server = read_one(one);
        if (!server) return tl::unexpected(std::move(server.error()));
        servers.push_back(std::move(*server));
    }
    if (servers.empty()) return tl::unexpected(std::string("is required: host:port of at least one broker"));
    return servers;
}

}  // namespace strandline::client::configuration
