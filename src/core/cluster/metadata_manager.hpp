// Decides when to ask the cluster what it looks like, of whom and about which topics, and keeps what it heard as the
// cluster view. Also decides when discovery starts again from the bootstrap servers (KIP-899, KIP-1102).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/boundary/cluster_snapshot.hpp"
#include "core/boundary/command.hpp"
#include "core/cluster/cluster_metadata.hpp"
#include "core/cluster/metadata_interest.hpp"
#include "core/cluster/metadata_lookups.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/request_backoff.hpp"
#include "core/kernel/view.hpp"
#include "protocol/messages/metadata.hpp"

namespace strandline::core::cluster {

// In: on_…, on_time.  Out: plan, the cluster view; facts leadership_changed, topics_changed, rebootstrap_started.
class metadata_manager {
public:
    // Writes `cluster`, and nobody else does. The wiring keeps it, because connections and metadata read each other's
    // view.
    metadata_manager(const exchange::manager_context& context, kernel::versioned<exchange::cluster_view>& cluster,
                     kernel::view<exchange::connections_handle> connections);
    metadata_manager(const metadata_manager&) = delete;
    metadata_manager& operator=(const metadata_manager&) = delete;

    // Apply, every turn before other inputs: starts again from the bootstrap servers when that is due.
    void on_time(exchange::turn_time time);
    void on_command(const boundary::command::partitions_for& command, boundary::operation_token token,
                    base::instant deadline, exchange::turn_time time);
    void on_command(const boundary::command::list_topics& command, boundary::operation_token token,
                    base::instant deadline, exchange::turn_time time);
    void on_cancel(boundary::operation_token token, exchange::turn_time time);
    void on_response(const exchange::response& response, exchange::turn_time time);
    void on_fact(const exchange::topics_of_interest& fact, exchange::turn_time time);
    void on_fact(const exchange::metadata_stale& fact, exchange::turn_time time);
    void on_fact(const exchange::leader_hint& fact, exchange::turn_time time);
    void on_fact(const exchange::broker_address_learnt& fact, exchange::turn_time time);
    void on_fact(const exchange::rebootstrap_wanted& fact, exchange::turn_time time);

    exchange::plan plan(exchange::turn_time time);

    const kernel::versioned<exchange::cluster_view>& view_source() const noexcept { return cluster_; }
    // What the cluster says against topics that are wanted.
    const std::shared_ptr<const boundary::cluster_snapshot>& troubles() const noexcept { return troubles_; }

private:
    // What one request asks about. Brokers answer about ids or about names, never about both.
    enum class scope : std::uint8_t { names, ids, all };
    struct asked {
        exchange::request_id id;
        base::instant expires_at;
        scope about = scope::names;
        std::set<std::string> names;
        std::set<protocol::topic_id> ids;
        std::uint64_t doubts = 0;  // how often what we know had been called stale by then
    };
    // What of the interest is not known yet, as of the last change of either.
    struct gaps {
        bool fresh_names = false;  // never asked about
        bool fresh_ids = false;
        bool missing = false;  // the cluster did not know them
        bool leaderless = false;  // an election is under way
    };
    struct need {
        base::instant since;  // from when on a request is due
        scope about = scope::names;
        bool is_repeat = false;  // it waits before it is asked again, not for its age
    };
    using answer = protocol::messages::metadata_response;

    // ---- when and what to ask
    std::optional<need> next_need(base::instant now) const;
    void begin_look_up();
    exchange::plan ask(need what, base::instant now);
    exchange::plan send(protocol::broker_id broker, std::int16_t version, need what, base::instant now);
    protocol::messages::metadata_request make_request(std::int16_t version, const asked& about) const;
    exchange::plan wait(kernel::await_set inputs, kernel::reason why, base::instant now) const;
    void review();
    void tell_troubles(boundary::cluster_snapshot found);

    // ---- what was answered
    void on_failure(exchange::failure_cause cause, base::instant now);
    void on_answer(const answer& metadata, const asked& about, base::instant now);
    bool is_of_another_cluster(const answer& metadata) const;
    void take_brokers(const answer& metadata);
    void take_topics(const answer& metadata, const asked& about);
    void note_pace(base::instant now);
    void report_topic_errors(const answer& metadata);
    void raise(error reason);
    void publish(metadata_change change);

    // ---- starting again
    base::instant rebootstrap_triggers_at() const noexcept;
    void want_rebootstrap(base::instant now);
    void rebootstrap(base::instant now);

    exchange::manager_context context_;
    kernel::view<exchange::connections_handle> connections_;
    kernel::versioned<exchange::cluster_view>& cluster_;
    exchange::outbox outbox_;
    metadata_interest interest_;
    metadata_lookups lookups_;

    std::optional<asked> in_flight_;
    gaps gaps_;
    std::set<protocol::topic_id> unknown_ids_;  // the cluster was asked about them in vain
    std::uint64_t doubts_ = 0;
    std::uint64_t doubts_settled_ = 0;
    bool lookups_asked_ = false;  // the lookups there are were part of a request

    exchange::request_backoff failures_;  // of requests: nothing is asked before it allows
    exchange::request_backoff repeats_;  // of the same question soon after its answer
    exchange::request_backoff absences_;  // of questions about what the cluster did not know
    std::optional<base::instant> last_answer_;
    std::optional<base::instant> last_refresh_;  // of everything of interest
    std::optional<base::instant> unanswered_since_;  // a request became due and no answer has come
    std::optional<base::instant> rebootstrap_due_;  // wanted again too soon after the last one
    std::optional<base::instant> last_rebootstrap_;
    exchange::request_backoff rebootstraps_;
    std::string former_cluster_id_;  // before discovery started again

    std::shared_ptr<const boundary::cluster_snapshot> troubles_ = std::make_shared<boundary::cluster_snapshot>();
    std::set<std::string> reported_;  // topics whose refusal the application has heard of
    bool wrong_cluster_reported_ = false;
};

}  // namespace strandline::core::cluster
