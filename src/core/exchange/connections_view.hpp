// Who can be talked to now. Owned by the connection manager; everybody else reads it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/instant.hpp"
#include "core/exchange/request.hpp"
#include "protocol/api_key.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::exchange {

// Four-valued: unknown (nobody asked for it: put out connection_wanted), connecting (await the view), backing off until
// an instant (await the view, it changes then), ready.
struct readiness {
    enum class state : std::uint8_t { unknown, connecting, backing_off, ready };
    state is = state::unknown;
    base::instant until = base::never;  // of backing_off

    bool ready() const noexcept { return is == state::ready; }
};

// All of one broker at once, by role.
struct broker_readiness {
    std::array<readiness, 3> connections;
    std::array<base::instant, 3> throttled_until;
};

// The version of an API to use with a broker, known once any of its connections is ready. None: this broker lacks the
// API, or every common version is above `cap`.
class connections_view {
public:
    virtual ~connections_view() = default;
    virtual readiness of(protocol::broker_id broker, connection_role role) const = 0;
    virtual std::optional<std::int16_t> usable_version(protocol::broker_id broker, protocol::api_key api,
                                                       std::int16_t cap = INT16_MAX) const = 0;
    // A broker for a request that any can answer: a ready one if there is, of those the one that takes requests soonest
    // (not throttled, or not for long), else one to try next (bootstrap servers included, as negative ids from -2
    // down). None when every one is backing off; the view changes when that ends.
    virtual std::optional<protocol::broker_id> any_broker(connection_role role, base::instant now) const = 0;
    // Until when the broker asked to be left alone on that connection (KIP-219); an instant in the past when it did
    // not.
    virtual base::instant throttled_until(protocol::broker_id broker, connection_role role) const = 0;
    // What the calls above say.
    virtual broker_readiness all_of(protocol::broker_id broker) const {
        using enum connection_role;
        return {{of(broker, fetch), of(broker, control), of(broker, group)},
                {throttled_until(broker, fetch), throttled_until(broker, control), throttled_until(broker, group)}};
    }
};

}  // namespace strandline::core::exchange
