// What the application asks of the core. Each command carries its operation's token and deadline; each gets exactly one
// completion. Intents (pause, seek, stored progress) are folded into state, so a later one never drops an earlier one.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/offsets.hpp>

#include "base/instant.hpp"
#include "base/kept_apart.hpp"
#include "core/boundary/identity.hpp"

namespace strandline::core::boundary {

namespace command {

// Replaces the subscription; an empty list of topics unsubscribes. At most one of the three is non-empty.
struct subscribe {
    std::vector<std::string> topics;
    std::string broker_pattern;  // RE2/J, evaluated by the broker (KIP-848)
    std::string client_pattern;  // RE2, evaluated here against the cluster's topics
    bool has_listener = false;
};
struct unsubscribe {};
struct assign {
    partitions wanted;
};
struct pause {
    partitions which;
};
struct resume {
    partitions which;
};
// A seek is one step: the incarnation changes and earlier data becomes void before it completes.
struct seek {
    topic_partition partition;
    std::int64_t offset = 0;
    std::optional<std::int32_t> leader_epoch;
};
struct seek_to {
    enum class end { beginning, end };
    end where = end::beginning;
    partitions which;  // empty: all assigned
};
// Completes with position_value once the position is known.
struct position {
    topic_partition partition;
};
struct commit {
    enum class source { processed, named };
    source what = source::processed;  // processed: what the checkpoint says when the command is applied
    offsets named;
    bool retry = true;  // commit() retries retriable errors until its deadline, commit_async() does not
};
// Completes with offsets_value; partitions without a committed offset are absent.
struct committed {
    partitions which;
};
// Completes with list_offsets_value. Timestamps: milliseconds, or one of the special values below.
struct list_offsets {
    static constexpr std::int64_t latest = -1;
    static constexpr std::int64_t earliest = -2;
    std::map<topic_partition, std::int64_t> timestamps;
};
struct partitions_for {
    std::string topic;
};
struct list_topics {};
// The application dealt with a wanted callback.
struct callback_finished {
    callback_id id;
    std::optional<error> failure;  // what the listener threw
};
// Ends an operation early: it completes with errc::timed_out, its effects on the cluster unknown.
struct cancel {
    operation_token which;
};
enum class leave_option { by_default, leave_group, remain_in_group };
// The deadline of the submission bounds everything. Completes with close_value.
struct close {
    leave_option leave = leave_option::by_default;
};

}  // namespace command

using command_kinds = std::variant<command::subscribe, command::unsubscribe, command::assign, command::pause,
                                   command::resume, command::seek, command::seek_to, command::position, command::commit,
                                   command::committed, command::list_offsets, command::partitions_for,
                                   command::list_topics, command::callback_finished, command::cancel, command::close>;

// One of them.
class any_command : public base::kept_apart<command_kinds> {
public:
    using kept_apart::kept_apart;
};

struct submitted_command {
    operation_token token;  // no_operation for callback_finished, cancel: they complete by themselves
    base::instant deadline = base::never;
    any_command what;
};

}  // namespace strandline::core::boundary

extern template class strandline::base::kept_apart<strandline::core::boundary::command_kinds>;
