// A Kafka cluster as values: bytes and time in, bytes and deadlines out. No socket, no clock, no thread, so a simulator
// can drive it, and a loopback front serves it to any client. One owner at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/instant.hpp"
#include "base/strong.hpp"
#include "protocol/api_key.hpp"
#include "protocol/frame.hpp"
#include "testkit/fake_cluster/call.hpp"
#include "testkit/fake_cluster/cluster_state.hpp"
#include "testkit/fake_cluster/consumer_groups.hpp"
#include "testkit/fake_cluster/fetch_sessions.hpp"
#include "testkit/fake_cluster/transaction_coordinator.hpp"

namespace strandline::testkit::fake {

using connection_id = base::strong<struct fake_connection_tag, std::uint64_t>;

struct cluster_options {
    int brokers = 1;
    std::string cluster_id = "fake-cluster";
    std::uint64_t seed = 1;
    std::vector<std::string> racks;  // by broker; missing: none
    bool auto_create_topics = true;
    std::int32_t default_partitions = 1;
    std::int32_t internal_partitions = 50;
    group_settings groups;
};

// What becomes of one request that a test has its hand on.
struct intercepted {
    enum class fate { handle, answer, drop, close };
    fate what = fate::handle;
    std::optional<any_response> answer;
    base::duration delay{};  // before it is handled or answered
};

struct request_seen {
    protocol::broker_id broker;
    const protocol::request_header& header;
    const base::shared_bytes& body;
    std::uint64_t connection;
};
// Called for each request before it is handled.
using interceptor = std::function<intercepted(const request_seen&)>;

// What becomes of one answer that a test has its hand on.
struct response_seen {
    protocol::broker_id broker;
    const protocol::request_header& request;
    const base::shared_bytes& frame;  // with its length
    std::uint64_t connection;
};
struct held_back {
    enum class fate { send, drop, close };
    fate what = fate::send;
    base::duration delay{};  // before it is sent; what the connection asks meanwhile waits
    std::optional<base::shared_bytes> instead;  // a whole frame
};
// Called for each answer before it is sent; without one, for acks=0, it is not.
using response_interceptor = std::function<held_back(const response_seen&)>;

struct outgoing {
    connection_id to;
    base::shared_bytes bytes;  // a whole frame; empty with `close`
    bool close = false;
};

class fake_cluster_core {
public:
    explicit fake_cluster_core(const cluster_options& options);
    ~fake_cluster_core();
    fake_cluster_core(const fake_cluster_core&) = delete;
    fake_cluster_core& operator=(const fake_cluster_core&) = delete;

    // ---- the network
    // A broker that does not run refuses: false.
    bool on_accept(connection_id id, protocol::broker_id broker);
    void on_bytes(connection_id id, base::bytes_view bytes, base::instant now, base::wall_time wall);
    void on_closed(connection_id id);
    void on_time(base::instant now, base::wall_time wall);
    // In order; whoever drives the cluster carries them out after each of the above.
    std::vector<outgoing> take_outgoing();
    base::instant next_deadline() const;

    // ---- the test's hand
    cluster_state& cluster() noexcept { return cluster_; }
    consumer_groups& groups() noexcept { return groups_; }
    transaction_coordinator& producers() noexcept { return transactions_; }
    fetch_sessions& sessions() noexcept { return sessions_; }
    // Hooks of one API are called in the order they were set, until one does not say `handle`.
    std::uint64_t intercept(protocol::api_key api, interceptor hook);
    std::uint64_t intercept_response(protocol::api_key api, response_interceptor hook);
    // Of either kind.
    void forget_interceptor(std::uint64_t id);
    std::uint64_t requests_seen(protocol::api_key api) const;
    // In how many answers of an API an error stood.
    const std::map<std::pair<protocol::api_key, protocol::broker_error>, std::uint64_t>& errors_given() const noexcept {
        return errors_given_;
    }
    // Its connections are closed; later ones are refused until it runs again.
    void stop_broker(protocol::broker_id id, base::instant now);
    void start_broker(protocol::broker_id id, base::instant now);
    // As a process that was stopped by a signal: it accepts and receives, and neither serves nor answers. Sessions of
    // the groups it coordinates end no earlier than it has served what it received meanwhile.
    void pause_broker(protocol::broker_id id);
    void resume_broker(protocol::broker_id id, base::instant now, base::wall_time wall);
    bool is_paused(protocol::broker_id id) const { return paused_.contains(id); }
    // After the state was changed by hand: whoever waited for a change is answered.
    void look_again(base::instant now, base::wall_time wall);

private:
    struct link;
    struct waiting_reply;
    void answer_waiting(bool state_changed, base::instant now, base::wall_time wall);
    void answer_due(base::instant now, base::wall_time wall);
    void answer_changed(base::instant now, base::wall_time wall);
    void expire(base::instant now, base::wall_time wall);
    void digest(link& from, base::instant now, base::wall_time wall);
    // By way of the interceptors.
    void receive(link& from, const protocol::headed<protocol::request_header>& request, base::instant now,
                 base::wall_time wall);
    void serve(link& from, const protocol::headed<protocol::request_header>& request, base::instant now,
               base::wall_time wall);
    void settle(link& to, const protocol::request_header& header, const reply& made, base::instant now);
    // By way of the interceptors of responses.
    void send(link& to, const protocol::request_header& header, const any_response& response, base::instant now);
    void put_out(link& to, base::shared_bytes frame);
    void close(link& gone);
    void bury_dead_links();

    void wait(link& one, waiting_reply waiting);
    waiting_reply stop_waiting(link& one);
    // Whether it is looked at when its time comes or something changes: not while its broker is paused.
    void enter(link& one);
    void leave(link& one);

    cluster_state cluster_;
    fetch_sessions sessions_;
    consumer_groups groups_;
    transaction_coordinator transactions_;
    services services_;
    std::map<connection_id, std::unique_ptr<link>> links_;
    std::map<std::uint64_t, std::pair<protocol::api_key, interceptor>> hooks_;
    std::map<std::uint64_t, std::pair<protocol::api_key, response_interceptor>> response_hooks_;
    std::uint64_t last_hook_ = 0;
    std::set<protocol::broker_id> paused_;
    // Links with a reply that waits: by the instant at which it must come, and those that any change may end.
    std::set<std::pair<base::instant, connection_id>> due_;
    std::set<connection_id> watching_;
    bool some_died_ = false;
    std::map<protocol::api_key, std::uint64_t> seen_;
    std::map<std::pair<protocol::api_key, protocol::broker_error>, std::uint64_t> errors_given_;
    std::vector<outgoing> outgoing_;
    std::uint64_t answered_changes_ = 0;
};

}  // namespace strandline::testkit::fake
