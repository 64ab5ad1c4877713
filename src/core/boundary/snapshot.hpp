// What the application may read without asking: one immutable publication per turn that changed something. Partitions
// lie in pages, of which only those that changed are made anew.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/offsets.hpp>

#include "base/instant.hpp"
#include "core/boundary/identity.hpp"
#include "core/kernel/agenda.hpp"

namespace strandline::core::boundary {

struct partition_snapshot {
    partition_ref partition;
    slot_id slot;
    incarnation era;
    std::optional<offset_and_metadata> fetch_position;  // none while it is being looked up
    std::optional<std::int64_t> high_watermark;
    std::optional<std::int64_t> last_stable_offset;
    std::optional<std::int64_t> log_start_offset;
    bool paused = false;
    bool fenced = false;
    std::optional<error> failure;  // the partition stands until a seek
};

struct partition_page {
    static constexpr std::size_t capacity = 64;
    std::vector<partition_snapshot> partitions;
};

struct member_snapshot {
    std::string member_id;
    std::int32_t member_epoch = -1;
    std::string state;  // by name, for explanations
};

// What was subscribed to. Shared by snapshots until it changes.
struct subscription_snapshot {
    std::vector<std::string> topics;
    std::string pattern;
    std::vector<std::string> unmatched_topics;  // subscribed, not known to the cluster
};

// Which addresses were tried in vain since a broker was last reached; for people.
struct network_snapshot {
    bool contacted = false;  // a broker has answered since the consumer was made
    std::vector<error> trouble;
};

struct snapshot {
    std::uint64_t version = 0;
    base::instant made_at;
    std::vector<std::shared_ptr<const partition_page>> pages;
    std::shared_ptr<const subscription_snapshot> subscription;  // never null
    std::shared_ptr<const member_snapshot> member;              // never null
    std::shared_ptr<const network_snapshot> network;            // never null
    std::optional<error> fatal;
    std::optional<error> last_error;  // the newest that a poll was told of, for explanations
    bool checkpoint_wanted = false;   // a poll entry should wake the reactor
    bool stopped = false;             // closed: nothing more comes
    std::vector<kernel::waiting> waits;
};
using snapshot_ref = std::shared_ptr<const snapshot>;

}  // namespace strandline::core::boundary
