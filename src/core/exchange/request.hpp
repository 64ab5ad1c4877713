// Requests say who asked; their answers go back to whoever that was. No callback, no future.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <tl/expected.hpp>

#include "base/bytes.hpp"
#include "base/instant.hpp"
#include "base/strong.hpp"
#include "core/kernel/agenda.hpp"
#include "core/kernel/await_set.hpp"
#include "protocol/any_request.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::exchange {

using request_id = base::strong<struct request_id_tag, std::uint64_t>;

// A broker serves one request of a connection at a time, so what must not wait for a long poll has a connection of its
// own.
enum class connection_role : std::uint8_t { fetch, control, group };

// Of how many partitions one request speaks: with more of them, several do. What is asked and answered at once stays
// small beside what is kept, however many partitions there are.
inline constexpr std::size_t most_partitions_at_once = 2'000;

struct outbound_request {
    request_id id;
    kernel::manager_index owner = 0;
    std::uint16_t operation = 0;   // the owner's own numbering of what it asks
    protocol::broker_id broker;    // must be ready for this role when the request is put out
    connection_role role = connection_role::control;
    protocol::any_request body;
    std::int16_t version = 0;      // chosen by the owner from the connections view
    base::instant expires_at;  // in flight until then at the longest; the answer is then request_failure::expired
};

struct request_failure {
    enum class kind { disconnected, expired, not_ready, unencodable, malformed };
    kind what = kind::disconnected;
    std::string detail;  // for people
};

// Exactly one per outbound_request.
struct response {
    request_id id;
    kernel::manager_index owner = 0;
    std::uint16_t operation = 0;
    protocol::broker_id broker;
    std::int16_t version = 0;
    tl::expected<base::shared_bytes, request_failure> body;  // what follows the response header
    base::duration took{};
    std::uint64_t connection = 0;  // the number of the one it came on
};

// A manager wants to talk to a broker that is not ready. The connections view shows what becomes of it.
struct connection_wanted {
    protocol::broker_id broker;
    connection_role role = connection_role::control;
};

}  // namespace strandline::core::exchange
