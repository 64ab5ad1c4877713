// Requests of one connection that have no answer yet. A broker answers the requests of a connection in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "base/instant.hpp"
#include "core/exchange/request.hpp"
#include "protocol/api_key.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::connection {

struct in_flight_request {
    // Who asked. The handshake's own requests have no owner.
    struct asker {
        exchange::request_id id;
        kernel::manager_index owner = 0;
        std::uint16_t operation = 0;
    };
    protocol::correlation_id correlation;
    std::optional<asker> who;
    protocol::api_key api{};
    std::int16_t version = 0;
    base::instant sent_at;
    base::instant expires_at;
};

class in_flight_table {
public:
    // Gives the request its correlation id.
    protocol::correlation_id add(in_flight_request request);
    // The request that an answer with this correlation id belongs to; nothing if it is not the one whose turn it is.
    std::optional<in_flight_request> take(protocol::correlation_id answered);
    // The newest one, which was not sent after all.
    void drop_newest() { requests_.pop_back(); }
    std::deque<in_flight_request> take_all();

    bool empty() const noexcept { return requests_.empty(); }
    std::size_t size() const noexcept { return requests_.size(); }
    // The one whose answer comes next; only if there is one.
    const in_flight_request& oldest() const noexcept { return requests_.front(); }
    base::instant earliest_expiry() const noexcept;
    // Oldest first.
    const std::deque<in_flight_request>& all() const noexcept { return requests_; }

private:
    std::deque<in_flight_request> requests_;
    std::int32_t next_correlation_ = 0;
};

}  // namespace strandline::core::connection
