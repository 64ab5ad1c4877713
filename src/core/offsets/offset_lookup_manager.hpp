// Looks up offsets for the application: beginnings, ends and points of time of any partitions, assigned or not.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/boundary/command.hpp"
#include "core/exchange/broker_reach.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/request_backoff.hpp"
#include "core/exchange/shared_draw.hpp"
#include "core/kernel/view.hpp"
#include "core/offsets/list_offsets_query.hpp"

namespace strandline::core::offsets {

// In: command list_offsets.  Out: ListOffsets to each leader; the fact topics_of_interest of what it looks up.
// Ends are the last stable offset under read_committed, the high watermark otherwise.
class offset_lookup_manager {
public:
    offset_lookup_manager(const exchange::manager_context& context,
                          kernel::view<exchange::connections_handle> connections,
                          kernel::view<exchange::cluster_view> cluster);
    offset_lookup_manager(const offset_lookup_manager&) = delete;
    offset_lookup_manager& operator=(const offset_lookup_manager&) = delete;

    void on_command(const boundary::command::list_offsets& command, boundary::operation_token token,
                    base::instant deadline, exchange::turn_time time);
    void on_cancel(boundary::operation_token token, exchange::turn_time time);
    void on_response(const exchange::response& response, exchange::turn_time time);

    exchange::plan plan(exchange::turn_time time);

private:
    struct sought_offset {
        std::int64_t timestamp = 0;
        exchange::request_backoff backoff;
        std::optional<exchange::request_id> in_flight;
    };
    struct offset_lookup {
        base::instant deadline = base::never;
        std::uint64_t answers_before = 0;  // Metadata answers when it was asked
        std::map<topic_partition, sought_offset> left;
        boundary::list_offsets_value found;
        bool finished = false;
    };
    struct lookup_flight {
        boundary::operation_token token;
        protocol::broker_id broker;
        base::instant expires_at;
        std::vector<topic_partition> asked;
    };

    void digest(boundary::operation_token token, offset_lookup& lookup, exchange::request_id id,
                const topic_partition& partition, const list_offsets_answer& answer, exchange::turn_time time);
    void ask(boundary::operation_token token, offset_lookup& lookup, exchange::turn_time time,
             exchange::pending_wait& wait);
    void send(boundary::operation_token token, offset_lookup& lookup, protocol::broker_id leader,
              const std::vector<list_offsets_question>& questions, exchange::turn_time time,
              exchange::pending_wait& wait);
    void finish(boundary::operation_token token, result<boundary::operation_value> outcome);
    void end_finished();
    error late(const offset_lookup& lookup) const;
    void tell_interest();

    exchange::manager_context context_;
    exchange::broker_reach reach_;
    kernel::view<exchange::cluster_view> cluster_;
    exchange::outbox outbox_;
    exchange::shared_draw draw_;
    std::map<boundary::operation_token, offset_lookup> lookups_;
    std::map<exchange::request_id, lookup_flight> in_flight_;
    std::set<std::string> interest_;
};

}  // namespace strandline::core::offsets
