// Which partitions are assigned and where each stands: numbers their slots and incarnations, and finds their positions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/boundary/command.hpp"
#include "core/boundary/delivery.hpp"
#include "core/boundary/snapshot.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/subscription_state.hpp"
#include "core/kernel/view.hpp"
#include "core/offsets/position_inquiry.hpp"
#include "core/offsets/position_states.hpp"

namespace strandline::core::offsets {

// In: commands of manual assignment and positions, the checkpoint, facts of the group, of fetching and of metadata.
// Out: ListOffsets and OffsetForLeaderEpoch, slot updates, errors of partitions, the subscription view.
//
// A position is only ever changed by the application (seek), by a verified answer that starts where it stands
// (position_advanced), by data that was given back untaken, or by an answer to a question that its slot, incarnation
// and phase still ask. An error never makes a partition fall to its reset policy.
class position_manager {
public:
    position_manager(const exchange::manager_context& context, kernel::view<exchange::connections_handle> connections,
                     kernel::view<exchange::cluster_view> cluster);
    const kernel::versioned<exchange::subscription_state>& view_source() const noexcept {
        return states_.table().view_source();
    }

    // Partitions that stay assigned keep everything: position, pause, buffered data.
    void on_command(const boundary::command::assign& command, boundary::operation_token token, base::instant deadline,
                    exchange::turn_time time);
    void on_command(const boundary::command::pause& command, boundary::operation_token token, base::instant deadline,
                    exchange::turn_time time);
    void on_command(const boundary::command::resume& command, boundary::operation_token token, base::instant deadline,
                    exchange::turn_time time);
    void on_command(const boundary::command::seek& command, boundary::operation_token token, base::instant deadline,
                    exchange::turn_time time);
    void on_command(const boundary::command::seek_to& command, boundary::operation_token token, base::instant deadline,
                    exchange::turn_time time);
    // Completes with what is next to process: what the checkpoint says, or else where this incarnation began.
    void on_command(const boundary::command::position& command, boundary::operation_token token, base::instant deadline,
                    exchange::turn_time time);
    void on_cancel(boundary::operation_token token, exchange::turn_time time);

    // At the start of each turn in which the application's checkpoint was read.
    void on_checkpoint(const boundary::checkpoint& checkpoint, exchange::turn_time time);
    // Buffered data was dropped: it is fetched again.
    void on_given_back(const boundary::buffer_drained& drained, exchange::turn_time time);
    void on_fence_acknowledged(const boundary::fence_acknowledged& acknowledged, exchange::turn_time time);
    void on_response(const exchange::response& response, exchange::turn_time time);

    void on_fact(const exchange::assignment_changed& fact, exchange::turn_time time);
    void on_fact(const exchange::fence_wanted& fact, exchange::turn_time time);
    void on_fact(const exchange::callback_acknowledged& fact, exchange::turn_time time);
    void on_fact(const exchange::subscription_replaced& fact, exchange::turn_time time);
    void on_fact(const exchange::leadership_changed& fact, exchange::turn_time time);
    void on_fact(const exchange::committed_known& fact, exchange::turn_time time);
    void on_fact(const exchange::offsets_committed& fact, exchange::turn_time time);
    void on_fact(const exchange::position_advanced& fact, exchange::turn_time time);
    void on_fact(const exchange::position_out_of_range& fact, exchange::turn_time time);
    void on_fact(const exchange::position_doubted& fact, exchange::turn_time time);
    void on_fact(const exchange::partition_failed& fact, exchange::turn_time time);

    // Once at the end of each turn's inputs, before any plan: what needs no input but time. True: something did, so
    // that what was answered last is void.
    bool on_turn(exchange::turn_time time);

    exchange::plan plan(exchange::turn_time time);

    // For whoever looks on.
    const kernel::walked_steps& walked() const noexcept { return states_.walked(); }
    // For the snapshot; only pages with a changed partition are others.
    const std::shared_ptr<const boundary::page_list>& pages() const { return states_.table().pages(); }

private:
    struct waiting_position {
        boundary::operation_token token;
        base::instant deadline;
        topic_partition partition;
    };
    struct unseen_partition {
        boundary::slot_id slot;
        boundary::incarnation era;
        std::uint64_t answers_before = 0;  // Metadata answers when it was assigned
        bool reported = false;
    };
    void complete(boundary::operation_token token, result<boundary::operation_value> outcome);
    // All of them assigned; or else completes with the error that says which is not.
    bool all_assigned(const partitions& which, const char* call, boundary::operation_token token);
    void remove_by_hand(const std::vector<boundary::slot_id>& leaving);
    void add_by_hand(const topic_partition& partition);
    exchange::topics_of_interest interest() const;
    void tell(exchange::topics_of_interest interest);
    void tell_interest_if_new();
    void remove(boundary::slot_id slot);
    void tell_fences_met();
    void answer_waiting(exchange::turn_time time, exchange::pending_wait& wait);
    void report_unseen();

    exchange::manager_context context_;
    kernel::view<exchange::cluster_view> cluster_;
    exchange::outbox outbox_;
    position_states states_;
    position_inquiry inquiry_;
    std::vector<waiting_position> waiting_;
    std::uint64_t awaited_fence_ = 0;  // whose meeting is to be told; 0: nobody's
    // Fenced and not met by the application yet, with the incarnation that was fenced.
    std::map<boundary::slot_id, boundary::incarnation> unmet_fences_;
    exchange::topics_of_interest told_interest_;
    // Assigned by hand, not seen in the metadata yet.
    std::vector<unseen_partition> unseen_;
};

}  // namespace strandline::core::offsets
