#include "testkit/fake_cluster/transaction_coordinator.hpp"

#include <algorithm>
#include <limits>

#include "testkit/fake_cluster/consumer_groups.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

constexpr std::size_t remembered_batches = 5;
constexpr base::duration longest_transaction = std::chrono::minutes(15);
// The last one but one of int16; the very last is for fencing.
constexpr std::int16_t last_epoch = std::numeric_limits<std::int16_t>::max() - 1;

std::int32_t after(std::int32_t sequence, std::int32_t count) {
    // Sequences go round at the end of int32, back to 0.
    const auto next = std::int64_t{sequence} + count;
    constexpr auto limit = std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1;
    return static_cast<std::int32_t>(next % limit);
}

}  // namespace

transaction_coordinator::identity transaction_coordinator::init(const std::optional<std::string>& transactional_id,
                                                                base::duration timeout, base::wall_time wall,
                                                                const identity& known) {
    if (!transactional_id) return {broker_error::none, ++last_producer_id_, 0};
    if (transactional_id->empty()) return {broker_error::invalid_request, -1, -1};
    if ((known.producer_id < 0) != (known.producer_epoch < 0)) return {broker_error::invalid_request, -1, -1};
    if (timeout <= base::duration::zero() || timeout > longest_transaction) {
        return {broker_error::invalid_transaction_timeout, -1, -1};
    }
    const auto found = transactions_.find(*transactional_id);
    const bool another =
        found != transactions_.end() && known.producer_id >= 0 &&
        (found->second.producer_id != known.producer_id || found->second.epoch != known.producer_epoch);
    if (another) return {broker_error::producer_fenced, -1, -1};
    auto& one = transactions_[*transactional_id];
    if (one.open) {
        // What is open is aborted under an epoch that fences its producer; whoever comes must ask again when that is
        // done.
        end_in_next_epoch(one, false, wall);
        one.last_committed.reset();
        return {broker_error::concurrent_transactions, -1, -1};
    }
    if (one.producer_id < 0) {
        one.producer_id = ++last_producer_id_;
        one.epoch = 0;
    } else {
        end_in_next_epoch(one, false, wall);
        one.last_committed.reset();
    }
    one.timeout = timeout;
    return {broker_error::none, one.producer_id, one.epoch};
}

broker_error transaction_coordinator::check(const std::string& transactional_id, std::int64_t producer_id,
                                            std::int16_t epoch) const {
    if (transactional_id.empty()) return broker_error::invalid_request;
    const auto found = transactions_.find(transactional_id);
    if (found == transactions_.end() || found->second.producer_id != producer_id) {
        return broker_error::invalid_producer_id_mapping;
    }
    return found->second.epoch == epoch ? broker_error::none : broker_error::producer_fenced;
}

void transaction_coordinator::open(transaction& one, base::instant now) {
    if (one.open) return;
    one.open = true;
    one.expires_at = base::saturating_add(now, one.timeout);
}

void transaction_coordinator::end_in_next_epoch(transaction& one, bool commit, base::wall_time wall) {
    const bool exhausted = one.epoch >= last_epoch;
    if (!exhausted) ++one.epoch;
    if (one.open) finish(one, commit, wall);
    if (!exhausted) return;
    one.producer_id = ++last_producer_id_;
    one.epoch = 0;
}

broker_error transaction_coordinator::verify_partition(const std::string& transactional_id, std::int64_t producer_id,
                                                       std::int16_t epoch, const partition_key& partition) const {
    const auto error = check(transactional_id, producer_id, epoch);
    if (error != broker_error::none) return error;
    const auto& one = transactions_.at(transactional_id);
    return one.partitions.contains(partition) ? broker_error::none : broker_error::transaction_abortable;
}

broker_error transaction_coordinator::add_partition(const std::string& transactional_id, std::int64_t producer_id,
                                                    std::int16_t epoch, const partition_key& partition,
                                                    base::instant now) {
    const auto error = check(transactional_id, producer_id, epoch);
    if (error != broker_error::none) return error;
    auto* topic = cluster_.find_topic(partition.first);
    if (!topic || !topic->find(partition.second)) return broker_error::unknown_topic_or_partition;
    auto& one = transactions_[transactional_id];
    open(one, now);
    one.partitions.insert(partition);
    return broker_error::none;
}

broker_error transaction_coordinator::add_group(const std::string& transactional_id, std::int64_t producer_id,
                                                std::int16_t epoch, const std::string& group, base::instant now) {
    const auto error = check(transactional_id, producer_id, epoch);
    if (error != broker_error::none) return error;
    auto& one = transactions_[transactional_id];
    open(one, now);
    one.groups.insert(group);
    return broker_error::none;
}

broker_error transaction_coordinator::add_offsets(const std::string& transactional_id, std::int64_t producer_id,
                                                  std::int16_t epoch, const std::string& group,
                                                  std::vector<pending_offset> offsets, bool adds_group,
                                                  base::instant now) {
    const auto error = check(transactional_id, producer_id, epoch);
    if (error != broker_error::none) return error;
    auto& one = transactions_[transactional_id];
    if (adds_group) {
        open(one, now);
        one.groups.insert(group);
    }
    if (!one.groups.contains(group)) return broker_error::transaction_abortable;
    auto& kept = one.offsets[group];
    kept.insert(kept.end(), offsets.begin(), offsets.end());
    return broker_error::none;
}

transaction_coordinator::identity transaction_coordinator::end(const std::string& transactional_id,
                                                               std::int64_t producer_id, std::int16_t epoch,
                                                               bool commit, bool with_next_epoch,
                                                               base::wall_time wall) {
    if (transactional_id.empty()) return {broker_error::invalid_request, -1, -1};
    const auto found = transactions_.find(transactional_id);
    if (found == transactions_.end() || found->second.producer_id != producer_id) {
        return {broker_error::invalid_producer_id_mapping, -1, -1};
    }
    auto& one = found->second;
    const auto ended_in = static_cast<std::int16_t>(one.last_bumped ? one.epoch - 1 : one.epoch);
    if (!one.open && one.last_committed && epoch == ended_in) {
        // Its answer may have been lost: it asks again.
        return *one.last_committed == commit ? identity{broker_error::none, one.producer_id, one.epoch}
                                             : identity{broker_error::invalid_txn_state, -1, -1};
    }
    if (one.epoch != epoch) return {broker_error::producer_fenced, -1, -1};
    // Without a transaction: under the new flow an abort of nothing is fine, a commit of nothing is not.
    if (!one.open && (!with_next_epoch || commit)) return {broker_error::invalid_txn_state, -1, -1};
    if (with_next_epoch) {
        end_in_next_epoch(one, commit, wall);
    } else {
        finish(one, commit, wall);
    }
    one.last_committed = commit;
    one.last_bumped = with_next_epoch;
    return {broker_error::none, one.producer_id, one.epoch};
}

void transaction_coordinator::finish(transaction& one, bool commit, base::wall_time wall) {
    for (const auto& [name, index] : one.partitions) {
        auto* topic = cluster_.find_topic(name);
        auto* partition = topic ? topic->find(index) : nullptr;
        if (!partition) continue;
        partition->log.end_transaction(one.producer_id, one.epoch, commit, wall.time_since_epoch().count(),
                                       partition->leader_epoch);
    }
    if (commit) {
        for (const auto& [group, offsets] : one.offsets) groups_.commit_in_transaction(group, offsets);
    }
    one.open = false;
    one.expires_at = base::never;
    one.partitions.clear();
    one.groups.clear();
    one.offsets.clear();
}

transaction_coordinator::admission transaction_coordinator::admit(const std::optional<std::string>& transactional_id,
                                                                  const topic_state& topic, std::int32_t partition,
                                                                  const records::record_batch& batch,
                                                                  bool adds_partition, base::instant now) {
    if (batch.is_transactional()) {
        if (!transactional_id) return {broker_error::invalid_txn_state, {}};
        const auto error = check(*transactional_id, batch.producer_id(), batch.producer_epoch());
        if (error != broker_error::none) {
            return {error == broker_error::producer_fenced ? broker_error::invalid_producer_epoch : error, {}};
        }
        auto& one = transactions_[*transactional_id];
        if (adds_partition) {
            open(one, now);
            one.partitions.insert({topic.name, partition});
        }
        if (!one.partitions.contains({topic.name, partition})) return {broker_error::transaction_abortable, {}};
    }
    if (batch.producer_id() < 0) return {};
    const auto found = sequences_.find({batch.producer_id(), topic.id, partition});
    if (found == sequences_.end()) return {};
    const auto& state = found->second;
    const auto first = batch.base_sequence();
    if (batch.producer_epoch() < state.epoch) return {broker_error::invalid_producer_epoch, {}};
    if (batch.producer_epoch() > state.epoch) {
        return {first == 0 ? broker_error::none : broker_error::out_of_order_sequence_number, {}};
    }
    const auto last = after(first, batch.record_count() - 1);
    for (const auto& written : state.newest) {
        if (written.first_sequence == first && written.last_sequence == last)
            return {broker_error::none, written.base_offset, written.newest_timestamp};
    }
    const bool follows = state.newest.empty() || after(state.newest.back().last_sequence, 1) == first;
    return {follows ? broker_error::none : broker_error::out_of_order_sequence_number, {}};
}

void transaction_coordinator::appended(const topic_state& topic, std::int32_t partition,
                                       const records::record_batch& batch, std::int64_t base_offset) {
    if (batch.producer_id() < 0) return;
    auto& state = sequences_[{batch.producer_id(), topic.id, partition}];
    if (batch.producer_epoch() != state.epoch) state.newest.clear();
    state.epoch = batch.producer_epoch();
    state.newest.push_back({batch.base_sequence(), after(batch.base_sequence(), batch.record_count() - 1), base_offset,
                            batch.max_timestamp()});
    if (state.newest.size() > remembered_batches) state.newest.pop_front();
}

void transaction_coordinator::on_time(base::instant now, base::wall_time wall) {
    for (auto& [id, one] : transactions_) {
        if (!one.open || one.expires_at > now) continue;
        end_in_next_epoch(one, false, wall);
        one.last_committed.reset();
    }
}

base::instant transaction_coordinator::next_deadline() const {
    auto next = base::never;
    for (const auto& [id, one] : transactions_) next = std::min(next, one.expires_at);
    return next;
}

bool transaction_coordinator::has_pending_offset(const std::string& group, const partition_key& partition) const {
    return std::any_of(transactions_.begin(), transactions_.end(), [&](const auto& entry) {
        const auto found = entry.second.offsets.find(group);
        if (found == entry.second.offsets.end()) return false;
        return std::any_of(found->second.begin(), found->second.end(), [&](const pending_offset& one) {
            return one.topic == partition.first && one.partition == partition.second;
        });
    });
}

}  // namespace strandline::testkit::fake
