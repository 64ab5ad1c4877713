// Brokers, connections and requests in flight, as an explanation needs them. Brokers that did not change are shared by
// the snapshots.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <strandline/error.hpp>

#include "base/instant.hpp"
#include "core/kernel/agenda.hpp"
#include "protocol/api_key.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::boundary {

struct request_snapshot {
    std::uint64_t id = 0;  // as managers name it when they await its answer
    kernel::manager_index owner = 0;
    bool of_handshake = false;  // nobody's: it is on the way to ready
    protocol::api_key api{};
    base::instant sent_at;
    base::instant expires_at;
    friend bool operator==(const request_snapshot&, const request_snapshot&) = default;
};

struct connection_snapshot {
    // Beyond these, requests in flight are counted and not listed.
    static constexpr std::size_t most_listed = 6;

    bool wanted = false;  // there is one, on its way or ready
    bool ready = false;
    std::string_view phase;             // by name; of static storage
    base::instant since;                // the attempt began; of a ready one: it was last used
    base::instant gives_up_at = base::never;  // on the way to ready
    base::instant throttled_until = base::instant::min();
    std::uint32_t in_flight = 0;
    std::uint32_t listed = 0;
    std::array<request_snapshot, most_listed> requests;  // the oldest ones
    friend bool operator==(const connection_snapshot&, const connection_snapshot&) = default;
};

struct broker_snapshot {
    static constexpr std::size_t roles = 3;

    protocol::broker_id broker = protocol::no_broker;
    std::shared_ptr<const std::string> address;  // "localhost:9092"; null while nobody has told
    bool is_bootstrap = false;
    base::instant backs_off_until = base::instant::min();
    std::optional<error> failure;  // of the newest attempt, none since it worked
    std::array<connection_snapshot, roles> connections;  // fetch, control, group

    bool is_ready(std::size_t role) const noexcept { return connections[role].ready; }
};

// Sorted by broker.
using broker_snapshots = std::vector<std::shared_ptr<const broker_snapshot>>;

struct network_snapshot {
    bool contacted = false;  // a broker has answered since the consumer was made
    bool reachable = false;  // some connection is ready
    base::instant next_attempt_at = base::instant::min();  // none is: attempts are spaced out until then
    broker_snapshots brokers;
};

}  // namespace strandline::core::boundary
