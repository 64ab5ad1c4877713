// Which partitions are assigned and where each stands: numbers their slots and incarnations, and finds their positions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
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

namespace strandline::core::offsets {

// In: commands of manual assignment and positions, the checkpoint, facts of the group, of fetching and of metadata.
// Out: ListOffsets and OffsetForLeaderEpoch, slot updates, errors of partitions, the subscription view.
//
// A position is only ever changed by the application (seek), by a verified answer that starts where it stands
// (position_advanced), or by an answer to a question that its slot, incarnation and phase still ask. An error never
// makes a partition fall to its reset policy.
class position_manager {
public:
    position_manager(const exchange::manager_context& context, kernel::view<exchange::connections_handle> connections,
                     kernel::view<exchange::cluster_view> cluster);
    ~position_manager();
    position_manager(const position_manager&) = delete;
    position_manager& operator=(const position_manager&) = delete;

    const kernel::versioned<exchange::subscription_state>& view_source() const noexcept;

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

    exchange::plan plan(exchange::turn_time time);

    // For the snapshot; only pages with a changed partition are made anew.
    std::vector<std::shared_ptr<const boundary::partition_page>> pages();

private:
    class machinery;
    std::unique_ptr<machinery> machinery_;
};

}  // namespace strandline::core::offsets
