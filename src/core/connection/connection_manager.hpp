// Opens, shakes hands, keeps and closes the connections to brokers; matches answers to requests; knows who can be
// talked to. It orders what the reactor's ports carry out and hears what became of it: it holds no socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "core/connection/address_book.hpp"
#include "core/connection/address_failure.hpp"
#include "core/connection/broker_connection.hpp"
#include "core/connection/broker_table.hpp"
#include "core/connection/connection_index.hpp"
#include "core/connection/network.hpp"
#include "core/connection/network_picture.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/request.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::connection {

// Apply: on_time first, then on_network, digest_received, on_fact.  Plan: want and send (from others' outputs), plan.
// After any of them this manager has to be asked for its plan in the same turn, or its timers are old.
class connection_manager {
public:
    connection_manager(const exchange::manager_context& context, kernel::view<exchange::cluster_view> cluster);
    connection_manager(const connection_manager&) = delete;
    connection_manager& operator=(const connection_manager&) = delete;

    const kernel::versioned<exchange::connections_handle>& view_source() const noexcept { return view_; }
    // Frames of connections opened from now on are allocated for this account.
    void set_account(std::shared_ptr<base::memory_account> account) { account_ = std::move(account); }

    // ---- network, between turns
    // Where the bytes that come next belong; empty: this connection is gone.
    std::span<std::byte> receive_room(connection_id id);
    // Of a long frame that has begun; 0: none has.
    std::size_t bytes_missing(connection_id id);
    // `count` bytes were put there. True: a whole frame or an error is waiting, a turn is wanted.
    bool received(connection_id id, std::size_t count);

    // ---- Apply
    // Every turn, before other inputs: what has expired by now.
    void on_time(exchange::turn_time time);
    void on_network(const network_event& event, exchange::turn_time time);
    // Makes answers of the frames that were received.
    void digest_received(exchange::turn_time time);
    void on_fact(const exchange::rebootstrap_started& fact, exchange::turn_time time);
    void on_fact(const exchange::broker_throttled& fact, exchange::turn_time time);
    void on_fact(const exchange::answer_unreadable& fact, exchange::turn_time time);
    // Closes every connection for good; requests in flight fail as disconnected.
    void close_all(exchange::turn_time time);
    // Every answer and failure since last asked, for the owners of the requests.
    std::vector<exchange::response> take_responses();

    // ---- Plan
    void want(const exchange::connection_wanted& wanted, exchange::turn_time time);
    void send(exchange::outbound_request request, exchange::turn_time time);
    exchange::plan plan(exchange::turn_time time);
    // Something failed while it was put out; it becomes an input of a turn that is due at once.
    bool turn_wanted() const noexcept { return !out_.responses.empty() || !addresses_wanted_.empty(); }

    // For whoever looks on: what connections went through.
    const kernel::walked_steps& walked() const noexcept { return out_.walked; }
    // For the ports, in this order, once the decision is published.
    std::vector<network_order> take_orders();
    // Per address that was tried and has not worked since.
    std::vector<address_failure> failures() const { return table_.failures(); }
    // What an explanation may show, after the last plan of a turn. `contacted`: the cluster has answered.
    const std::shared_ptr<const boundary::network_snapshot>& picture(bool contacted);

private:
    broker_entry& entry_of(protocol::broker_id broker);
    void add_bootstrap_servers();

    // ---- the way of a connection
    void start_queued(base::instant now);
    void start(broker_connection& connection, base::instant now);
    void apply(connection_key key, const connection_change& change, base::instant now);
    void on_ready(broker_connection& connection, base::instant now);
    void on_ended(broker_connection& connection, const connection_failure& why, base::instant now);
    void discard(broker_connection& connection, const std::string& why, base::instant now);
    void discard_all(const std::string& why, base::instant now);
    void on_first_answer(const broker_connection& connection);
    void give_up(broker_connection& connection, const std::string& why, base::instant now);
    // Bootstrap connections are not kept once the cluster's own brokers can be asked.
    void retire_bootstrap_connections(base::instant now);

    void on_event(const connected& event, base::instant now);
    void on_event(const closed& event, base::instant now);
    void on_event(const name_resolved& event, base::instant now);

    // ---- the cluster
    void follow_cluster(base::instant now);
    void abandon_attempts(broker_entry& broker, const std::string& why, base::instant now);
    void place_those_without_address(bool answered, base::instant now);
    base::instant next_wake() const noexcept;
    void ask_for_rebootstrap(std::string why);
    client_identity identity_for(const broker_entry& broker) const;
    kernel::reason why_waiting() const;
    void note_all();

    exchange::manager_context context_;
    kernel::view<exchange::cluster_view> cluster_;
    broker_table table_;
    kernel::versioned<exchange::connections_handle> view_;
    std::shared_ptr<base::memory_account> account_;
    address_book addresses_;
    connection_outputs out_;

    connection_index index_;
    network_picture picture_;
    std::set<connection_key> arrived_;  // have something to digest
    std::deque<connection_key> queue_;  // wait for a slot

    std::uint64_t attempts_ = 0;
    std::uint64_t followed_version_ = 0;
    std::uint64_t followed_answers_ = 0;
    std::string cluster_id_;
    std::set<protocol::broker_id> addresses_wanted_;  // of brokers that nobody told us how to reach
    bool rebootstrap_asked_ = false;
};

}  // namespace strandline::core::connection
