// What happened in a simulated run, as a stream of plain values: the only thing that checkers see. Whoever runs the
// simulation emits them in the order in which things happened; the core's own part comes from checkers/core_witness.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <strandline/error.hpp>

#include "base/instant.hpp"
#include "base/kept_apart.hpp"
#include "base/strong.hpp"
#include "core/boundary/core_config.hpp"
#include "core/boundary/identity.hpp"
#include "core/exchange/request.hpp"
#include "core/kernel/agenda.hpp"
#include "protocol/api_key.hpp"
#include "protocol/broker_error.hpp"
#include "protocol/ids.hpp"
#include "testkit/simulator/transition_tables.hpp"

namespace strandline::testkit::sim {

// One consumer object, from its construction to its end or the crash of its process. Never reused in a run.
using consumer_id = base::strong<struct consumer_id_tag, std::uint32_t>;
// One partition of one topic id: a topic that is made again has other logs. Numbered from 0 as they are created.
using log_id = base::strong<struct log_id_tag, std::uint32_t>;
// One call of the application, from its begin to its end.
using call_id = base::strong<struct call_id_tag, std::uint64_t>;

inline constexpr consumer_id nobody{UINT32_MAX};
inline constexpr log_id no_log{UINT32_MAX};

// ---------------------------------------------------------------- the cluster: what is true
namespace observed {

struct topic_created {
    std::string name;
    protocol::topic_id id;
    log_id first;  // its partitions are first, first + 1, ...
    std::int32_t partitions = 1;
};
struct partitions_added {
    protocol::topic_id id;
    log_id first;                // of the new ones
    std::int32_t already = 0;    // index of the first new one
    std::int32_t total = 0;
};
struct topic_deleted {
    protocol::topic_id id;
};

// A stretch of a log, appended by its leader. Content numbers are unique within a run: record `from + i` holds
// `first_content + i`, which the record's value lets the application find again.
struct appended {
    enum class kind : std::uint8_t { data, control, compacted };  // compacted: offsets without a record
    log_id log;
    std::int64_t from = 0;
    std::int64_t to = 0;  // exclusive
    kind what = kind::data;
    std::uint64_t first_content = 0;
    std::int64_t producer_id = -1;  // of a transaction; -1: outside of any
    std::int32_t leader_epoch = 0;
};
// Everything that the producer appended to this log since its last one is committed or aborted. The marker itself is an
// `appended` of kind control, emitted before.
struct transaction_ended {
    log_id log;
    std::int64_t producer_id = -1;
    bool committed = true;
};
// Unclean election: everything from there on is gone.
struct truncated {
    log_id log;
    std::int64_t to = 0;
};
struct log_start_moved {
    log_id log;
    std::int64_t to = 0;
};
struct leader_changed {
    log_id log;
    protocol::broker_id broker = protocol::no_broker;
    std::int32_t leader_epoch = 0;
};
struct broker_state_changed {
    protocol::broker_id broker;
    bool running = true;
};
struct coordinator_changed {
    std::string group;
    protocol::broker_id broker;
};

// What the coordinator holds of one member, whenever that changed.
struct group_member_changed {
    enum class kind : std::uint8_t { joined, changed, fenced, left };
    kind what = kind::changed;
    std::string group;
    std::string member_id;
    std::string instance_id;  // empty: dynamic
    std::int32_t epoch = 0;
    std::int32_t group_epoch = 0;
    // What the coordinator counts as its: assigned, and those it was told to give up and has not confirmed.
    std::vector<log_id> assigned;
    std::vector<log_id> revoking;
};
// Accepted by the coordinator. `consumer` of the observation: who sent it, if a simulated consumer did.
// A group has nothing committed any more.
struct offsets_expired {
    std::string group;
};
struct offset_stored {
    std::string group;
    log_id log;
    std::int64_t offset = 0;
    std::string member_id;
    std::int32_t member_epoch = -1;
    std::int32_t leader_epoch = -1;  // of the record before it; -1: not told
};
// What a broker remembers of a fetch session, after it has answered a request of it.
struct fetch_session_kept {
    protocol::broker_id broker;
    std::int32_t session_id = 0;
    std::int32_t next_epoch = 1;
    struct place {
        log_id log;
        std::int64_t fetch_offset = 0;
        friend bool operator==(const place&, const place&) = default;
    };
    std::vector<place> places;  // by log
};

// ---------------------------------------------------------------- the core: from core_witness

struct consumer_started {
    std::uint32_t application = 0;  // which simulated process; one that crashed starts a new consumer
    std::shared_ptr<const core::boundary::core_config> settings;
};

enum class input : std::uint8_t { network, timer, command, checkpoint, fence, drained, space, again };
constexpr std::uint16_t bit(input one) noexcept { return static_cast<std::uint16_t>(1U << static_cast<unsigned>(one)); }

// The reactor was told that a turn is wanted, by somebody outside of it.
struct turn_asked {};
// A turn begins: what had arrived.
struct turn_begun {
    std::uint64_t number = 0;
    std::uint16_t inputs = 0;  // bits of `input`
    std::uint32_t count = 0;  // how many there were
    std::size_t bytes_in_use = 0;  // of memory_limit, as collected
};
enum class effect_kind : std::uint8_t { network_order, delivery, notice, completion, wake };
// How a consumer stands with its group's coordinator.
enum class coordinator_reach : std::uint8_t { unknown, searched, unconnected, connecting, backing_off, ready };
// Its decision. What follows until the next turn_begun of this consumer are its effects.
struct turn_decided {
    std::uint64_t number = 0;
    std::uint64_t version = 0;
    base::instant park_until = base::never;
    bool awaits_space = false;
    bool turn_again = false;
    bool checkpoint_wanted = false;  // a poll entry wakes the reactor
    bool progress_wanted = false;  // one that tells of something processed does
    bool stopped = false;
    std::uint32_t answers = 0;  // how often managers were asked
    std::uint32_t progresses = 0;  // and how often that put something out
    std::shared_ptr<const std::vector<core::kernel::waiting>> waits;
    std::string_view member_id;  // as long as this is told
    std::int32_t member_epoch = -1;
    std::string_view member_state;  // of static storage
    coordinator_reach coordinator = coordinator_reach::unknown;
    // What the published snapshot says is assigned.
    struct place {
        log_id log;
        core::boundary::slot_id slot;
        core::boundary::incarnation era;
        std::optional<std::int64_t> position;
        bool paused = false;
        bool fenced = false;
        bool failed = false;
        friend bool operator==(const place&, const place&) = default;
    };
    // Null: as in the decision before.
    std::shared_ptr<const std::vector<place>> assignment;
};

// The parts of a request that a checker looks at.
struct heartbeat_content {
    std::string member_id;
    std::int32_t member_epoch = 0;
    bool full = false;  // tells subscription and timeout, as a join must
    std::optional<std::vector<log_id>> owned;
};
struct commit_content {
    std::string member_id;
    std::int32_t member_epoch = -1;
    std::vector<std::pair<log_id, std::int64_t>> offsets;
};
struct fetch_content {
    std::int32_t session_id = 0;
    std::int32_t session_epoch = -1;
    std::int32_t max_bytes = 0;
    std::vector<fetch_session_kept::place> added;  // or changed
    std::vector<log_id> forgotten;
};
struct other_content {};
using request_content = std::variant<other_content, heartbeat_content, commit_content, fetch_content>;

// A manager put a request out; it is in flight from here on.
struct request_sent {
    core::exchange::request_id id;
    core::kernel::manager_index owner = 0;
    std::uint16_t operation = 0;
    protocol::broker_id broker;
    core::exchange::connection_role role = core::exchange::connection_role::control;
    protocol::api_key api{};
    std::int16_t api_version = 0;
    base::instant expires_at = base::never;
    std::uint64_t turn = 0;  // the one it was planned in
    request_content content;
};
struct heartbeat_answer {
    protocol::broker_error error{};
    std::int32_t member_epoch = 0;
    std::optional<std::vector<log_id>> assignment;
};
struct fetch_answer {
    protocol::broker_error error{};
    std::int32_t session_id = 0;
    std::vector<log_id> answered;
};
struct commit_answer {
    std::vector<std::pair<log_id, protocol::broker_error>> partitions;
};
struct other_answer {};
using answer_content = std::variant<other_answer, heartbeat_answer, fetch_answer, commit_answer>;

// The request has its one end; its owner was told.
struct request_ended {
    enum class how : std::uint8_t { answered, disconnected, expired, not_ready, unencodable, malformed };
    core::exchange::request_id id;
    core::kernel::manager_index owner = 0;
    how what = how::answered;
    answer_content content;
};

// A fact came to its owner. `holds`: the version it names is still the owner's; `changed`: it changed the owner's
// state.
struct fact_handled {
    std::uint64_t sequence = 0;  // as emitted
    std::uint8_t kind = 0;  // index in exchange::fact
    bool holds = true;
    bool changed = false;
};

// The kernel or an audit of it found its contract broken.
struct contract_broken {
    enum class clause : std::uint8_t {
        missing_edge,  // an answer read a view that it does not await
        runaway,  // a manager makes progress without end
        stray_fact,  // a fact followed from one that the table does not let it follow from
        foreign_write,  // state was changed while another manager was on
        unversioned_write,  // state was changed without its version
        stale_answer,  // a manager that was not asked answers otherwise than published
        order_matters  // asked in another order, managers come to another decision
    };
    clause which = clause::missing_edge;
    std::string what;
};

// Steps of transition tables that this consumer had not made before.
struct steps_walked {
    std::vector<table_step> steps;
};

struct slot_updated {
    log_id log;
    core::boundary::slot_id slot;
    core::boundary::incarnation era;
    bool assigned = true;
    bool paused = false;
    bool fenced = false;
    bool callback_pending = false;
};
// Dropped untaken from here on, because memory was short; to be fetched again.
struct data_given_back {
    log_id log;
    core::boundary::slot_id slot;
    core::boundary::incarnation era;
    std::int64_t from = 0;
};
struct fetch_delivered {
    log_id log;
    core::boundary::slot_id slot;
    core::boundary::incarnation era;
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::size_t bytes = 0;
    bool failed = false;
};
struct notice_given {
    enum class kind : std::uint8_t { assigned, revoked, lost, error };
    kind what = kind::error;
    core::boundary::callback_id id{0};
    std::optional<core::boundary::callback_id> supersedes;
    std::vector<log_id> which;
    std::optional<error> reason;
};
struct completion_given {
    core::boundary::operation_token token{0};
    std::optional<error> failure;
};

// ---------------------------------------------------------------- what the outside saw of a turn

// A port was called, or a waiter of the application resumed. `visible_version`: what handoff.snapshot() said then.
struct effect_seen {
    effect_kind what = effect_kind::network_order;
    std::uint64_t visible_version = 0;
};

// ---------------------------------------------------------------- the application

enum class call_kind : std::uint8_t {
    subscribe,
    unsubscribe,
    assign,
    pause,
    resume,
    seek,
    seek_to,
    position,
    commit,
    commit_async,
    committed,
    list_offsets,
    partitions_for,
    list_topics,
    poll,
    close
};
struct call_begun {
    call_id call;
    call_kind what = call_kind::poll;
    base::instant deadline = base::never;
    std::vector<log_id> which;  // as far as they exist
    std::vector<std::pair<log_id, std::int64_t>> offsets;  // of a named commit, a seek
    bool in_callback = false;
    bool commits_named = false;  // commit, commit_async: `offsets` are what is committed
};
struct call_ended {
    call_id call;
    call_kind what = call_kind::poll;
    std::optional<error> failure;
    std::optional<std::int64_t> value;  // position
    std::vector<std::string> undone;  // close
    bool requested_only = false;  // close in a callback
};
// The application asked for one poll to be interrupted.
struct wakeup_called {};
// A wait of a call began or ended. `version` is the gate's: the one that was looked at, the one that ended it.
struct parked {
    call_id call;
    std::uint64_t version = 0;
};
struct woken {
    enum class reason : std::uint8_t { visible, ended, deadline };
    call_id call;
    reason why = reason::visible;
    std::uint64_t version = 0;
};
// What the look after a wake (or before a park) found.
struct looked {
    enum class found : std::uint8_t { nothing, failed, woken, notice, ended, data, outcome };
    call_id call;
    found what = found::nothing;
};

struct piece {
    log_id log;
    core::boundary::slot_id slot;
    core::boundary::incarnation era;
    std::int64_t from = 0;
    std::int64_t to = 0;
};
// Emitted just before call_ended of a poll that returns records.
struct poll_returned {
    call_id call;
    std::vector<piece> pieces;
};
struct record_seen {
    std::int64_t offset = 0;
    std::uint64_t content = 0;
};
// Iteration handed these to the application's loop, in this order.
struct records_seen {
    log_id log;
    core::boundary::incarnation era;
    std::vector<record_seen> records;
};
// Iteration moved past everything below `next` (or a later poll found the records released): processed.
struct processed {
    log_id log;
    core::boundary::incarnation era;
    std::int64_t next = 0;
    bool released = false;  // counted because the application let go of it, not because it was read
};
// Iteration of a partition ended with an error instead of a record.
struct iteration_failed {
    log_id log;
    std::int64_t offset = 0;
    error reason;
};
struct callback_begun {
    core::boundary::callback_id id{0};
    notice_given::kind what = notice_given::kind::assigned;
    std::vector<log_id> which;
};
struct callback_ended {
    core::boundary::callback_id id{0};
    bool threw = false;
};
// Something escaped from the reactor, such as an allocation that failed: it turns no more. Its application goes on.
struct reactor_failed {
    bool out_of_memory = true;  // or a fault of ours
    std::string why;
};
// The process is gone, at once and with everything it held.
struct crashed {};
// The consumer object is destroyed, after close or by its destructor: what it left behind.
struct consumer_gone {
    std::size_t connections = 0;
    std::size_t operations = 0;
    std::size_t timers = 0;
    std::size_t bytes = 0;
    std::size_t names = 0;  // resolver queries open
};

// ---------------------------------------------------------------- faults

enum class fault_kind : std::uint8_t {
    latency,
    bandwidth,
    partial_delivery,
    reset,
    half_open,
    refused,
    black_hole,
    trickle,
    reply_dropped,
    reply_late,
    reply_reordered,
    resolver,
    broker_stopped,
    broker_paused,
    leader_moved,
    coordinator_moved,
    truncation,
    topic_recreated,
    partitions_added,
    slow_callback,
    throwing_callback,
    slow_application,
    wall_clock_jump,
    stall,
    allocation_failure,
    crash,
    error_answer,
    garbled_answer,
    session_forgotten,
    offsets_expired
};
struct fault_applied {
    std::uint32_t id = 0;
    fault_kind what = fault_kind::latency;
    std::string words;
};
struct fault_healed {
    std::uint32_t id = 0;
};
// Nothing is wrong with the world from here on; liveness counts from this instant.
struct all_healed {};

}  // namespace observed

using happening_kinds =
    std::variant<observed::topic_created, observed::partitions_added, observed::topic_deleted, observed::appended,
                 observed::transaction_ended, observed::truncated, observed::log_start_moved, observed::leader_changed,
                 observed::broker_state_changed, observed::coordinator_changed, observed::group_member_changed,
                 observed::offset_stored, observed::offsets_expired, observed::fetch_session_kept,
                 observed::consumer_started, observed::turn_asked, observed::turn_begun, observed::turn_decided,
                 observed::request_sent, observed::request_ended, observed::fact_handled, observed::contract_broken,
                 observed::steps_walked, observed::slot_updated, observed::fetch_delivered, observed::data_given_back,
                 observed::notice_given, observed::completion_given, observed::effect_seen, observed::call_begun,
                 observed::call_ended, observed::wakeup_called, observed::parked, observed::woken, observed::looked,
                 observed::poll_returned, observed::records_seen, observed::processed, observed::iteration_failed,
                 observed::callback_begun, observed::callback_ended, observed::reactor_failed, observed::crashed,
                 observed::consumer_gone, observed::fault_applied, observed::fault_healed, observed::all_healed>;

// One of them.
class happening : public base::kept_apart<happening_kinds> {
public:
    using kept_apart::kept_apart;
};

struct observation {
    base::instant at;
    consumer_id consumer = nobody;  // whom it concerns
    happening what;
};

// Where observations go.
class observer {
public:
    virtual void on(const observation& seen) = 0;

protected:
    ~observer() = default;
};

}  // namespace strandline::testkit::sim

extern template class strandline::base::kept_apart<strandline::testkit::sim::happening_kinds>;
