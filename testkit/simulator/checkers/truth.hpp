// What is true about the cluster at this moment of a run: its logs record by record, who leads, what groups hold. Built
// from observations of the cluster alone, never from what a consumer says.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/ids.hpp"
#include "testkit/simulator/checkers/log_numbers.hpp"
#include "testkit/simulator/checkers/observation.hpp"

namespace strandline::testkit::sim {

// A stretch of offsets that are alike.
struct log_stretch {
    std::int64_t from = 0;
    std::int64_t to = 0;
    observed::appended::kind what = observed::appended::kind::data;
    std::uint64_t first_content = 0;
    std::int64_t producer_id = -1;
    enum class fate : std::uint8_t { plain, open, committed, aborted } state = fate::plain;
    std::int32_t leader_epoch = 0;
};

// One partition's log as it stands.
class true_log {
public:
    void append(const observed::appended& what);
    void end_transaction(std::int64_t producer_id, bool committed);
    void truncate(std::int64_t to);
    void move_start(std::int64_t to) { start_ = std::max(start_, to); }

    std::int64_t start() const noexcept { return start_; }
    std::int64_t end() const noexcept { return end_; }
    std::int64_t last_stable() const noexcept;
    // How often it was truncated: offsets from before mean something else.
    std::uint32_t truncations() const noexcept { return truncations_; }
    // The lowest offset that any truncation since the given one reached; INT64_MAX: none.
    std::int64_t cut_since(std::uint32_t truncations) const;
    // Up to where it holds records of this epoch and of those before it: what its leader answers to whoever validates.
    std::int64_t end_of_epoch(std::int32_t leader_epoch) const;
    const log_stretch* find(std::int64_t offset) const;
    // A record that a consumer of this isolation may be given now.
    bool is_visible(std::int64_t offset, bool committed_only) const;
    // The first visible record in [from, to), if any.
    std::optional<std::int64_t> first_visible(std::int64_t from, std::int64_t to, bool committed_only) const;
    // What the record holds; only of data.
    std::uint64_t content(std::int64_t offset) const;
    // Whether a record of this content ever stood at this offset, truncated since or not.
    bool ever_held(std::int64_t offset, std::uint64_t content) const;

private:
    std::vector<log_stretch>::const_iterator first_reaching(std::int64_t offset) const;

    std::vector<log_stretch> stretches_;  // by offset, without holes between start and end
    std::vector<log_stretch> cut_off_;  // by truncation
    std::vector<std::int64_t> cuts_;
    std::map<std::int64_t, std::int64_t> open_;  // producer id -> first offset of its open transaction
    std::int64_t start_ = 0;
    std::int64_t end_ = 0;
    std::uint32_t truncations_ = 0;
};

struct true_partition {
    std::string topic;
    protocol::topic_id topic_id;
    std::int32_t index = 0;
    bool deleted = false;
    protocol::broker_id leader = protocol::no_broker;
    std::int32_t leader_epoch = 0;
    true_log log;
};

struct true_member {
    observed::group_member_changed now;
    bool live = true;
};

class truth {
public:
    void take(const observation& seen);

    const true_partition* find(log_id log) const noexcept;
    log_id find(protocol::topic_id topic, std::int32_t partition) const;
    // Of the topic that bears this name now, or bore it last.
    log_id find(std::string_view topic, std::int32_t partition) const;
    std::size_t logs() const noexcept { return partitions_.size(); }
    std::string name_of(log_id log) const;

    // By group and partition.
    std::optional<std::int64_t> committed(const std::string& group, log_id log) const;
    const std::map<std::pair<std::string, std::string>, true_member>& members() const noexcept { return members_; }
    // By group and member id.
    const true_member* member(const std::string& group, const std::string& id) const;

    bool is_calm() const noexcept { return calm_since_ != base::never; }
    // Since when nothing is wrong with the world; never: something is.
    base::instant calm_since() const noexcept { return calm_since_; }
    // Faults applied and not healed.
    const std::map<std::uint32_t, observed::fault_kind>& faults() const noexcept { return faults_; }
    // How many faults of this kind there were so far.
    std::uint32_t faults_seen(observed::fault_kind what) const noexcept {
        return faults_seen_[static_cast<std::size_t>(what)];
    }
    // The machine stands still, or did until now: whatever is late may be late for that.
    bool may_stand_still(base::instant now) const noexcept { return now <= stalled_until_; }
    // When the newest fault of any kind was applied or healed, or the newest change of leaders, brokers or
    // coordinators.
    base::instant last_trouble() const noexcept { return last_trouble_; }

    // What a consumer was configured with; null: it was never started.
    const core::boundary::core_config* settings(consumer_id consumer) const noexcept;
    bool reads_committed_only(consumer_id consumer) const noexcept;

private:
    std::vector<true_partition> partitions_;  // by log id
    log_numbers<protocol::topic_id> by_id_;
    log_numbers<std::string> by_name_;
    std::map<std::pair<std::string, log_id>, std::int64_t> committed_;
    std::map<std::pair<std::string, std::string>, true_member> members_;
    std::map<std::uint32_t, observed::fault_kind> faults_;
    std::array<std::uint32_t, 64> faults_seen_{};
    std::vector<std::shared_ptr<const core::boundary::core_config>> settings_;  // by consumer
    base::instant calm_since_{};  // from the beginning, unless a fault comes
    base::instant last_trouble_ = base::instant::min();
    std::set<std::uint32_t> stalls_;
    base::instant stalled_until_ = base::instant::min();

    true_partition& at(log_id log) { return partitions_[log.value()]; }
    void add(const std::string& name, protocol::topic_id id, log_id first, std::int32_t from, std::int32_t to);
};

}  // namespace strandline::testkit::sim
