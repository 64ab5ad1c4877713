// Asks leaders where positions are and applies what they answer: ListOffsets for resets, OffsetForLeaderEpoch to
// validate.
#pragma once

#include <cstdint>
#include <vector>

#include "core/exchange/broker_reach.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/shared_draw.hpp"
#include "core/offsets/leader_epoch_query.hpp"
#include "core/offsets/list_offsets_query.hpp"
#include "core/offsets/position_states.hpp"

namespace strandline::core::offsets {

class position_inquiry {
public:
    position_inquiry(const exchange::manager_context& context, kernel::view<exchange::connections_handle> connections,
                     kernel::view<exchange::cluster_view> cluster, position_states& states);

    // While planning: one request for each leader and kind of question that can be asked now.
    void plan(exchange::turn_time time, exchange::outbox& out, exchange::pending_wait& wait);
    // While inputs are applied: the answer; and, each turn, what needs no answer. True: there was something of that.
    void on_response(const exchange::response& response, exchange::turn_time time);
    bool on_turn();

private:
    struct leader_batch {
        std::vector<asked_position> asked;
        std::vector<list_offsets_question> list_offsets;
        std::vector<leader_epoch_question> leader_epochs;
    };
    void gather(exchange::turn_time time, exchange::pending_wait& wait);
    void send(protocol::broker_id leader, position_question question, leader_batch& batch, exchange::turn_time time,
              exchange::outbox& out, exchange::pending_wait& wait);
    std::int64_t timestamp_of(position_search::wanted& wanted, exchange::turn_time time) const;

    void on_failure(exchange::request_id id, const position_request& request, const char* why,
                    exchange::failure_cause cause, exchange::turn_time time);
    template <class Answer>
    void digest(exchange::request_id id, const position_request& request, const Answer& answer,
                exchange::turn_time time);
    void on_found(boundary::slot_id slot, const list_offsets_finding& found, exchange::turn_time time);
    void on_found(boundary::slot_id slot, const leader_epoch_finding& found, exchange::turn_time time);
    void on_error(const asked_position& asked, protocol::broker_error failure, const char* what,
                  exchange::turn_time time);
    void retry_later(boundary::slot_id slot, exchange::failure_cause cause, exchange::turn_time time);
    void on_throttled(protocol::broker_id broker, base::duration throttle, exchange::turn_time time);

    exchange::manager_context context_;
    exchange::broker_reach reach_;
    kernel::view<exchange::cluster_view> cluster_;
    position_states* states_;
    exchange::shared_draw draw_;
    std::map<std::pair<protocol::broker_id, position_question>, leader_batch> batches_;
    // Whose leader is too old to be asked; they go on unvalidated with the next turn.
    std::vector<std::pair<boundary::slot_id, boundary::incarnation>> not_to_validate_;
};

}  // namespace strandline::core::offsets
