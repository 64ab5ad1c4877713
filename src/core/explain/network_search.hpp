// Finds brokers and requests in the published picture of the network.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/boundary/network_snapshot.hpp"

namespace strandline::core::explain {

inline const boundary::broker_snapshot* find_broker(const boundary::network_snapshot& network,
                                                    protocol::broker_id broker) {
    const auto it = std::lower_bound(network.brokers.begin(), network.brokers.end(), broker,
                                     [](const auto& one, protocol::broker_id id) { return one->broker < id; });
    return it != network.brokers.end() && (*it)->broker == broker ? it->get() : nullptr;
}

struct found_request {
    const boundary::broker_snapshot* at = nullptr;
    const boundary::request_snapshot* request = nullptr;
};

// The first that `fits`, by broker, connection and age.
template <class Fits>
std::optional<found_request> find_request(const boundary::network_snapshot& network, Fits&& fits) {
    for (const auto& broker : network.brokers) {
        for (const auto& connection : broker->connections) {
            for (std::uint32_t i = 0; i < connection.listed; ++i) {
                if (fits(connection.requests[i])) return found_request{broker.get(), &connection.requests[i]};
            }
        }
    }
    return std::nullopt;
}

inline std::optional<found_request> find_request(const boundary::network_snapshot& network, std::uint64_t id) {
    return find_request(network,
                        [id](const boundary::request_snapshot& one) { return !one.of_handshake && one.id == id; });
}

}  // namespace strandline::core::explain
