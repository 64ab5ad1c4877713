#include "core/offsets/position_search.hpp"

#include <utility>

namespace strandline::core::offsets {

void position_search::want_reset(boundary::slot_id slot, boundary::incarnation era, boundary::reset_policy policy,
                                 std::optional<position_reset> told) {
    wanted made{era, position_question::list_offsets, policy, exchange::request_backoff(retry_)};
    made.told = std::move(told);
    wanted_.insert_or_assign(slot, std::move(made));
}

void position_search::want_validation(boundary::slot_id slot, boundary::incarnation era) {
    wanted_.insert_or_assign(
        slot, wanted{era, position_question::offset_for_leader_epoch, {}, exchange::request_backoff(retry_)});
}

const position_search::wanted* position_search::find(boundary::slot_id slot) const {
    const auto it = wanted_.find(slot);
    return it == wanted_.end() ? nullptr : &it->second;
}

void position_search::on_sent(exchange::request_id id, position_request request) {
    for (const auto& asked : request.asked) wanted_.at(asked.slot).in_flight = id;
    in_flight_.emplace(id, std::move(request));
}

std::optional<position_request> position_search::take(exchange::request_id id) {
    auto node = in_flight_.extract(id);
    if (node.empty()) return std::nullopt;
    return std::move(node.mapped());
}

bool position_search::fits(exchange::request_id id, const asked_position& asked) const {
    const auto* current = find(asked.slot);
    return current && current->era == asked.era && current->in_flight == id;
}

void position_search::retry_later(boundary::slot_id slot, exchange::failure_cause cause, base::instant now,
                                  base::random_source& random) {
    const auto it = wanted_.find(slot);
    if (it == wanted_.end()) return;
    it->second.in_flight.reset();
    it->second.backoff.on_failure(now, random, cause);
}

}  // namespace strandline::core::offsets
