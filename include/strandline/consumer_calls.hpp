// The calls that a consumer and the access given to its callbacks have in common.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/export.hpp>
#include <strandline/looking_calls.hpp>
#include <strandline/offsets.hpp>
#include <strandline/rebalance_listener.hpp>
#include <strandline/record.hpp>
#include <strandline/topic_partition.hpp>
#include <strandline/topic_pattern.hpp>

namespace strandline::inline v0 {

class consumer_access;

// How long a call may take; none: default_api_timeout of the configuration.
using timeout = std::optional<std::chrono::milliseconds>;

struct commit_result {
    offsets committed;             // what was to be committed; with a failure, some of it may have been
    std::optional<error> failure;  // why it was not
    explicit operator bool() const noexcept { return !failure.has_value(); }
};

// Called exactly once per commit_async, inside a later poll, unsubscribe or close, on its thread. What it throws is
// told by that call, as callback_failed.
using commit_callback = std::function<void(consumer_access access, const commit_result& result)>;

// Each call that can fail exists twice: the plain one throws strandline::exception, try_… returns the error. A consumer
// serves one caller at a time; whoever comes in beside it gets concurrent_modification, which names both. Exempt are
// the looking_calls.
//
// Any of them may also fail with consumer_closed, access_expired and invalid_argument; those that wait with timed_out,
// whose message says for what, and with what a broker answers, in kafka_category(). A call that timed out may have its
// effect later. What each may do inside a callback: docs/reference/calls-in-callbacks.md.
class STRANDLINE_API consumer_calls : public looking_calls {
public:
    // --- What to consume

    // Replaces what was subscribed to or assigned before; takes effect with the polls that follow. Needs group_id
    // (invalid_state). No topics: unsubscribes. A topic that does not exist is waited for; explain() says so. An
    // expression that is no pattern is an invalid_argument.
    void subscribe(std::initializer_list<std::string> topics, const listener_handle& listener = {}) {
        subscribe(std::vector<std::string>(topics), listener);
    }
    void subscribe(const std::vector<std::string>& topics, const listener_handle& listener = {});
    void subscribe(const topic_pattern& pattern, const listener_handle& listener = {});
    void subscribe(const subscription_pattern& pattern, const listener_handle& listener = {});
    result<void> try_subscribe(const std::vector<std::string>& topics, const listener_handle& listener = {});
    result<void> try_subscribe(const topic_pattern& pattern, const listener_handle& listener = {});
    result<void> try_subscribe(const subscription_pattern& pattern, const listener_handle& listener = {});
    // Gives up everything that was subscribed to or assigned, and leaves the group. Before that, what was processed is
    // committed (with automatic commit), and the listener hears of it, inside this call: what it throws is this call's
    // callback_failed.
    void unsubscribe(timeout within = {});
    result<void> try_unsubscribe(timeout within = {});
    // Exactly these, by hand: no group decides, no listener hears of it. Takes the place of a subscription or of an
    // assignment before it, of whose end no listener hears either (unsubscribe first, if it should): what was processed
    // is committed (with automatic commit), and the group is left. Partitions that stay keep their positions. The
    // others begin at what the group has committed, if there is a group_id, else where auto_offset_reset says. None:
    // nothing is consumed any more.
    void assign(const partitions& wanted);
    result<void> try_assign(const partitions& wanted);

    // --- Commit. The offset to commit is that of the next record to process, always. Without a group_id:
    // invalid_state.

    // What was processed: everything that iteration has moved past, and what the newest poll found let go of. Waits for
    // the group's answer, and tries again what passes. If some partitions are refused, the others are committed;
    // commit_failed: they are somebody else's by now.
    void commit(timeout within = {});
    result<void> try_commit(timeout within = {});
    // The same, and `up_to` and what came before it in its partition count as processed, read or not. commit_failed:
    // its partition was given up or sought since, or something before it cannot be read.
    void commit(const record& up_to, timeout within = {});
    result<void> try_commit(const record& up_to, timeout within = {});
    // These, of any partitions, assigned or not.
    void commit(const offsets& named, timeout within = {});
    result<void> try_commit(const offsets& named, timeout within = {});
    // As commit, but returns at once. Sent at the next opportunity and not tried again; `done` hears how it ended, and
    // without one nobody does. Beyond 64 that wait to be sent, one is taken in by the one after it and ends with
    // commit_superseded.
    void commit_async(commit_callback done = {});
    void commit_async(const offsets& named, commit_callback done = {});
    result<void> try_commit_async(commit_callback done = {});
    result<void> try_commit_async(const offsets& named, commit_callback done = {});

    // --- Positions. Of assigned partitions only, else invalid_state.

    // The next record polled is the one at this offset, or the first after it. Nothing fetched before is delivered any
    // more. What counts as processed does not move ahead with it: until a record from there has been processed, the
    // group's offset stays where it was, and a restart begins there. To skip for good, commit the offset by name too.
    void seek(const topic_partition& partition, std::int64_t offset);
    // With a leader epoch the position is checked against the log's history (KIP-320).
    void seek(const topic_partition& partition, const offset_and_metadata& position);
    result<void> try_seek(const topic_partition& partition, std::int64_t offset);
    result<void> try_seek(const topic_partition& partition, const offset_and_metadata& position);
    // No partitions named: all that are assigned. The offsets are looked up by the polls that follow.
    void seek_to_beginning(const partitions& which = {});
    void seek_to_end(const partitions& which = {});
    result<void> try_seek_to_beginning(const partitions& which = {});
    result<void> try_seek_to_end(const partitions& which = {});
    // Offset of the next record that a poll will return. Waits until it is known; fails with why the partition stands
    // if it does.
    std::int64_t position(const topic_partition& partition, timeout within = {});
    result<std::int64_t> try_position(const topic_partition& partition, timeout within = {});

    // Paused partitions stay assigned; nothing of them is delivered, from now on, until they are resumed. Survives
    // rebalances that leave them here; what comes back after it was given up is not paused.
    void pause(const partitions& which);
    void resume(const partitions& which);
    result<void> try_pause(const partitions& which);
    result<void> try_resume(const partitions& which);

    // --- Asking the cluster, about any partitions, assigned or not. Each waits for the answer.

    // What the group has committed. Partitions without a committed offset are absent. Without a group_id:
    // invalid_state.
    offsets committed(const partitions& which, timeout within = {});
    result<offsets> try_committed(const partitions& which, timeout within = {});
    // The first record that is not older than that; none where there is no such record. A partition that its topic does
    // not have is partition_not_found, here and below.
    using time_point = std::chrono::sys_time<std::chrono::milliseconds>;
    using offsets_by_time = std::map<topic_partition, std::optional<offset_and_timestamp>>;
    offsets_by_time offsets_for_times(const std::map<topic_partition, time_point>& times, timeout within = {});
    result<offsets_by_time> try_offsets_for_times(const std::map<topic_partition, time_point>& times,
                                                  timeout within = {});
    // The offset of the oldest record there is, and the one behind the newest: under read_committed the last stable
    // offset.
    std::map<topic_partition, std::int64_t> beginning_offsets(const partitions& which, timeout within = {});
    std::map<topic_partition, std::int64_t> end_offsets(const partitions& which, timeout within = {});
    result<std::map<topic_partition, std::int64_t>> try_beginning_offsets(const partitions& which, timeout within = {});
    result<std::map<topic_partition, std::int64_t>> try_end_offsets(const partitions& which, timeout within = {});
    // Empty for a topic that does not exist (yet); list_topics has all that this client may see, by name.
    std::vector<partition_info> partitions_for(const std::string& topic, timeout within = {});
    result<std::vector<partition_info>> try_partitions_for(const std::string& topic, timeout within = {});
    std::map<std::string, std::vector<partition_info>> list_topics(timeout within = {});
    result<std::map<std::string, std::vector<partition_info>>> try_list_topics(timeout within = {});

protected:
    consumer_calls(std::shared_ptr<client::consumer_state> state, std::uint64_t frame) noexcept;
    consumer_calls(const consumer_calls&) noexcept = default;
    consumer_calls(consumer_calls&&) noexcept = default;
    consumer_calls& operator=(const consumer_calls&) noexcept = default;
    consumer_calls& operator=(consumer_calls&&) noexcept = default;
    ~consumer_calls() = default;

    std::uint64_t frame_;  // 0: the root
};

}  // namespace strandline::inline v0
