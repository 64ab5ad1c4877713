// Look-ups of committed offsets: for partitions that were just assigned, and for the application.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/boundary/command.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/group_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/request_backoff.hpp"
#include "core/exchange/subscription_state.hpp"
#include "core/kernel/view.hpp"
#include "core/offsets/coordinator_link.hpp"
#include "core/offsets/offset_fetch_query.hpp"
#include "core/offsets/stale_epoch.hpp"

namespace strandline::core::offsets {

// Part of the commit manager. One OffsetFetch is in flight at a time; what is asked meanwhile goes with the next one,
// never with the answer to an earlier one.
class committed_lookup {
public:
    static constexpr std::uint16_t operation = 2;

    committed_lookup(const exchange::manager_context& context, coordinator_link& link,
                     kernel::view<exchange::member_view> member,
                     kernel::view<exchange::subscription_state> subscription,
                     kernel::view<exchange::cluster_view> cluster, exchange::outbox& outbox);

    // ---- while inputs are applied
    void ask(const std::vector<std::pair<boundary::slot_id, boundary::incarnation>>& slots);
    void ask(const partitions& which, boundary::operation_token token, base::instant deadline);
    bool on_cancel(boundary::operation_token token);
    void on_response(const exchange::response& response, exchange::turn_time time);
    // None of them will ever be answered.
    void end_all(const error& why);

    // ---- while planning
    void plan(exchange::turn_time time, exchange::pending_wait& wait);

    bool empty() const noexcept { return queries_.empty(); }

private:
    struct asked_partition {
        topic_partition partition;
        protocol::topic_id topic_id{};  // for an assigned partition only, as is
        boundary::slot_id slot;
        boundary::incarnation era{};  // 0: for the application
    };
    struct committed_query {
        explicit committed_query(boundary::backoff retry) : backoff(retry) {}

        boundary::operation_token token = boundary::no_operation;  // none: for assigned partitions
        base::instant deadline = base::never;
        std::vector<asked_partition> left;
        strandline::offsets found;
        exchange::request_backoff backoff;
        stale_epoch stale;
    };
    struct lookup_flight {
        exchange::request_id id;
        base::instant expires_at;
        coordinator_finding at;
        protocol::member_epoch epoch{-1};
        std::vector<std::uint64_t> queries;
        std::vector<committed_question> questions;
    };

    void drop_overtaken(exchange::turn_time time, exchange::pending_wait& wait);
    bool drop_needless(committed_query& query);
    bool end_late(committed_query& query, exchange::turn_time time, exchange::pending_wait& wait);
    bool may_ask(const committed_query& query, base::instant now, exchange::pending_wait& wait) const;
    void send(const std::vector<std::uint64_t>& ready, const coordinator_finding& at, exchange::turn_time time);
    protocol::topic_id present_id(const std::string& topic) const;
    void digest(committed_query& query, const lookup_flight& flight, const committed_answer& answer,
                exchange::turn_time time);
    bool is_passing(protocol::broker_error why) const noexcept;
    void on_found(committed_query& query, const asked_partition& asked,
                  const std::optional<offset_and_metadata>& committed);
    void on_failed(committed_query& query, const asked_partition& asked, protocol::broker_error why);
    void finish(committed_query& query);

    exchange::manager_context context_;
    coordinator_link* link_;
    kernel::view<exchange::member_view> member_;
    kernel::view<exchange::subscription_state> subscription_;
    kernel::view<exchange::cluster_view> cluster_;
    exchange::outbox* outbox_;
    std::uint64_t last_query_ = 0;
    std::map<std::uint64_t, committed_query> queries_;
    std::optional<lookup_flight> flight_;
};

}  // namespace strandline::core::offsets
