// What client and broker say to each other before a connection takes requests: a table of steps, walked in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "base/bytes.hpp"
#include "core/connection/address_failure.hpp"
#include "protocol/any_request.hpp"
#include "protocol/api_versions.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::connection {

// Who we say we are, and whom we believe to be talking to (KIP-1242: both of cluster_id and broker, or neither).
struct client_identity {
    std::string software_name;
    std::string software_version;
    std::optional<std::string> cluster_id;
    protocol::broker_id broker = protocol::no_broker;
};

struct handshake_request {
    protocol::any_request body;
    std::int16_t version = 0;
};

class handshake {
public:
    explicit handshake(client_identity who);

    bool is_done() const noexcept;
    // The name of the step that is being walked; only until it is done.
    std::string_view step() const noexcept;
    // What is to be sent now; only until it is done, and once after each answer.
    handshake_request next_request() const;
    tl::expected<void, connection_failure> on_answer(const base::shared_bytes& body);

    const protocol::broker_api_versions& versions() const noexcept { return state_.versions; }

    // What the steps read and write.
    struct state {
        client_identity who;
        std::int16_t api_versions_version = 0;
        bool version_was_refused = false;
        protocol::broker_api_versions versions;
    };

private:
    state state_;
    std::size_t step_ = 0;
};

}  // namespace strandline::core::connection
