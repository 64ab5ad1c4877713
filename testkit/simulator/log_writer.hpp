// Writes into the logs of the simulated cluster, as producers and administrators do, and tells the truth about it: what
// stands where, what is visible, what is gone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testkit/simulator/checkers/log_numbers.hpp"
#include "testkit/simulator/observations.hpp"
#include "testkit/simulator/simulated_cluster.hpp"

namespace strandline::testkit::sim {

// One batch to be written.
struct batch_plan {
    std::int32_t records = 1;
    std::int32_t value_bytes = 16;  // at least eight: the content number
    std::int32_t gap_before = 0;  // compacted away: offsets without a record ahead of the first one,
    std::int32_t gap_inside = 0;  // in the middle,
    std::int32_t gap_behind = 0;  // and behind the last one
};

class log_writer {
public:
    log_writer(simulated_cluster& cluster, const virtual_clock& clock, observations& told)
        : cluster_(cluster), clock_(clock), told_(told) {}

    // ---- topics
    void create_topic(const std::string& name, std::int32_t partitions, std::int16_t replication);
    void delete_topic(const std::string& name);
    void add_partitions(const std::string& name, std::int32_t more);
    std::int32_t partitions_of(const std::string& name);

    // ---- records. False: there is no such partition, or nobody leads it.
    bool append(const std::string& topic, std::int32_t partition, const batch_plan& what);
    // Within the producer's transaction in this partition, which it opens if need be.
    bool append_in_transaction(const std::string& topic, std::int32_t partition, const batch_plan& what,
                               std::int64_t producer_id);
    void end_transaction(const std::string& topic, std::int32_t partition, std::int64_t producer_id, bool commit);

    // ---- what becomes of logs
    // An unclean election loses about this many of the newest records; never a transaction's marker, whose records
    // would otherwise come back to life.
    void truncate(const std::string& topic, std::int32_t partition, std::int64_t records);
    void move_log_start(const std::string& topic, std::int32_t partition, std::int64_t records);
    // To the next of its replicas that runs, in a new epoch; a partition without another one begins an epoch.
    void move_leader(const std::string& topic, std::int32_t partition);

    std::uint64_t records_written() const noexcept { return last_content_; }
    log_id log_of(protocol::topic_id topic, std::int32_t partition) const;
    // Of the topic that has this name now.
    log_id log_of(const topic_partition& which) const;

    // The content number that a record's value carries; none if it is not one of ours.
    static std::optional<std::uint64_t> content_of(base::bytes_view value);

private:
    fake::partition_state* find(const std::string& topic, std::int32_t partition, log_id& log);
    bool append(const std::string& topic, std::int32_t partition, const batch_plan& what, std::int64_t producer_id);
    log_id next_log() const noexcept { return log_id(static_cast<std::uint32_t>(newest_marker_ends_.size())); }
    void number(protocol::topic_id topic, std::int32_t from, std::int32_t total);

    simulated_cluster& cluster_;
    const virtual_clock& clock_;
    observations& told_;
    log_numbers<protocol::topic_id> numbers_;
    std::vector<std::int64_t> newest_marker_ends_;  // by log
    std::uint64_t last_content_ = 0;
};

}  // namespace strandline::testkit::sim
