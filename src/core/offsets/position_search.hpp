// Whose position is being looked up, and what was asked about it: the questions of the position manager in flight and
// to come.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <strandline/position_reset.hpp>

#include "base/random_source.hpp"
#include "core/boundary/core_config.hpp"
#include "core/boundary/identity.hpp"
#include "core/exchange/request.hpp"
#include "core/exchange/request_backoff.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::offsets {

enum class position_question : std::uint16_t { list_offsets, offset_for_leader_epoch };

// What one request asked about one partition. Its answer counts only while the incarnation lasts and the same is
// wanted.
struct asked_position {
    boundary::slot_id slot;
    boundary::incarnation era;
    topic_partition partition;
};

struct position_request {
    position_question question = position_question::list_offsets;
    protocol::broker_id broker;
    base::instant expires_at;
    std::vector<asked_position> asked;
};

class position_search {
public:
    struct wanted {
        boundary::incarnation era;
        position_question question = position_question::list_offsets;
        boundary::reset_policy policy;
        exchange::request_backoff backoff;
        // Of by_duration: fixed when first asked, so that what is written while we ask again is not skipped.
        std::optional<std::int64_t> timestamp = {};
        // What the application is to hear once it is known where the partition goes on.
        std::optional<position_reset> told = {};
        std::optional<exchange::request_id> in_flight = {};
    };

    explicit position_search(const boundary::core_config& config) noexcept : retry_(config.retry) {}

    // Replaces whatever was wanted for the slot; an answer in flight to an earlier question will not fit.
    void want_reset(boundary::slot_id slot, boundary::incarnation era, boundary::reset_policy policy,
                    std::optional<position_reset> told = {});
    void want_validation(boundary::slot_id slot, boundary::incarnation era);
    void forget(boundary::slot_id slot) { wanted_.erase(slot); }

    std::map<boundary::slot_id, wanted>& all() noexcept { return wanted_; }
    const wanted* find(boundary::slot_id slot) const;

    void on_sent(exchange::request_id id, position_request request);
    std::optional<position_request> take(exchange::request_id id);
    const std::map<exchange::request_id, position_request>& in_flight() const noexcept { return in_flight_; }
    // Whether this is the answer that is waited for: the incarnation lasts and nothing else was wanted since.
    bool fits(exchange::request_id id, const asked_position& asked) const;
    // To be asked again after a back-off.
    void retry_later(boundary::slot_id slot, exchange::failure_cause cause, base::instant now,
                     base::random_source& random);

private:
    boundary::backoff retry_;
    std::map<boundary::slot_id, wanted> wanted_;
    std::map<exchange::request_id, position_request> in_flight_;
};

}  // namespace strandline::core::offsets
