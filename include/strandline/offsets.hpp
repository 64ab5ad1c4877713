// Offsets as the application names them: the next record to read, never the last one read.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <strandline/topic_partition.hpp>

namespace strandline::inline v0 {

// A position worth storing: the offset of the next record to process, with the epoch of the last one processed
// (KIP-320).
struct offset_and_metadata {
    std::int64_t offset = 0;
    std::optional<std::int32_t> leader_epoch = {};
    std::string metadata = {};

    offset_and_metadata() = default;
    offset_and_metadata(std::int64_t next, std::optional<std::int32_t> epoch = {}, std::string text = {})
        : offset(next), leader_epoch(epoch), metadata(std::move(text)) {}
    friend bool operator==(const offset_and_metadata&, const offset_and_metadata&) = default;
};

using offsets = std::map<topic_partition, offset_and_metadata>;

struct offset_and_timestamp {
    std::int64_t offset = 0;
    std::chrono::sys_time<std::chrono::milliseconds> timestamp;
    std::optional<std::int32_t> leader_epoch;
    friend bool operator==(const offset_and_timestamp&, const offset_and_timestamp&) = default;
};

// What a cluster says of one partition.
struct partition_info {
    topic_partition partition;
    std::optional<std::int32_t> leader;  // none while it is being elected
    std::vector<std::int32_t> replicas;
    std::vector<std::int32_t> in_sync_replicas;
    std::vector<std::int32_t> offline_replicas;
    friend bool operator==(const partition_info&, const partition_info&) = default;
};

// Identity of this member, for offsets sent inside a producer's transaction (KIP-447).
struct group_metadata {
    std::string group_id;
    std::int32_t generation_or_epoch = -1;
    std::string member_id;
    std::optional<std::string> group_instance_id;
    friend bool operator==(const group_metadata&, const group_metadata&) = default;
};

}  // namespace strandline::inline v0
