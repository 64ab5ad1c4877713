#include "testkit/simulator/log_writer.hpp"

#include <algorithm>

#include "records/batch_builder.hpp"

namespace strandline::testkit::sim {

namespace {

constexpr std::size_t number_bytes = 8;

// A value that is its content number, and filled up.
class numbered_value {
public:
    explicit numbered_value(std::int32_t bytes) : value_(std::max(static_cast<std::size_t>(bytes), number_bytes)) {}

    base::bytes_view of(std::uint64_t number) {
        for (std::size_t i = 0; i < number_bytes; ++i) {
            value_[i] = static_cast<std::byte>(number >> (8 * (number_bytes - 1 - i)));
        }
        return value_;
    }

private:
    std::vector<std::byte> value_;
};

}  // namespace

std::optional<std::uint64_t> log_writer::content_of(base::bytes_view value) {
    if (value.size() < number_bytes) return std::nullopt;
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < number_bytes; ++i) number = (number << 8U) | static_cast<std::uint64_t>(value[i]);
    return number;
}

// ---- topics

void log_writer::number(protocol::topic_id topic, std::int32_t from, std::int32_t total) {
    for (auto i = from; i < total; ++i) {
        numbers_.set(topic, i, next_log());
        newest_marker_ends_.push_back(0);
    }
}

void log_writer::create_topic(const std::string& name, std::int32_t partitions, std::int16_t replication) {
    if (cluster_.state().find_topic(name)) return;
    const auto& made = cluster_.state().create_topic(name, partitions, replication);
    const auto first = next_log();
    number(made.id, 0, partitions);
    told_.tell(observed::topic_created{name, made.id, first, partitions});
    for (std::int32_t i = 0; i < partitions; ++i) {
        const auto& one = *made.partitions[static_cast<std::size_t>(i)];
        told_.tell(observed::leader_changed{log_of(made.id, i), one.leader, one.leader_epoch});
    }
    cluster_.touched();
}

void log_writer::delete_topic(const std::string& name) {
    const auto* gone = cluster_.state().find_topic(name);
    if (!gone) return;
    const auto id = gone->id;
    cluster_.state().delete_topic(name);
    told_.tell(observed::topic_deleted{id});
    cluster_.touched();
}

void log_writer::add_partitions(const std::string& name, std::int32_t more) {
    auto* const grown = cluster_.state().find_topic(name);
    if (!grown) return;
    const auto already = static_cast<std::int32_t>(grown->partitions.size());
    const auto first = next_log();
    const auto copies = grown->partitions.empty() ? 1 : grown->partitions.front()->replicas.size();
    cluster_.state().add_partitions(*grown, already + more, static_cast<std::int16_t>(copies));
    number(grown->id, already, already + more);
    told_.tell(observed::partitions_added{grown->id, first, already, already + more});
    cluster_.touched();
}

std::int32_t log_writer::partitions_of(const std::string& name) {
    const auto* known = cluster_.state().find_topic(name);
    return known ? static_cast<std::int32_t>(known->partitions.size()) : 0;
}

log_id log_writer::log_of(protocol::topic_id topic, std::int32_t partition) const {
    return numbers_.find(topic, partition);
}

log_id log_writer::log_of(const topic_partition& which) const {
    const auto* known = cluster_.state().find_topic(which.topic);
    return known ? log_of(known->id, which.partition) : no_log;
}

fake::partition_state* log_writer::find(const std::string& topic, std::int32_t partition, log_id& log) {
    auto* const known = cluster_.state().find_topic(topic);
    if (!known) return nullptr;
    log = numbers_.find(known->id, partition);
    return known->find(partition);
}

// ---- records

bool log_writer::append(const std::string& topic, std::int32_t partition, const batch_plan& what) {
    return append(topic, partition, what, -1);
}

bool log_writer::append_in_transaction(const std::string& topic, std::int32_t partition, const batch_plan& what,
                                       std::int64_t producer_id) {
    return append(topic, partition, what, producer_id);
}

bool log_writer::append(const std::string& topic, std::int32_t partition, const batch_plan& what,
                        std::int64_t producer_id) {
    log_id log;
    auto* const to = find(topic, partition, log);
    if (!to || to->leader == protocol::no_broker) return false;
    records::batch_options options;
    options.producer_id = producer_id;
    options.producer_epoch = producer_id < 0 ? std::int16_t{-1} : std::int16_t{0};
    options.transactional = producer_id >= 0;
    records::batch_builder builder(options);
    numbered_value value(what.value_bytes);
    const auto timestamp = clock_.wall().time_since_epoch().count();
    const auto base = to->log.high_watermark();

    std::int64_t at = 0;
    const auto tell = [&](observed::appended::kind kind, std::int64_t count, std::uint64_t content) {
        if (count <= 0) return;
        told_.tell(observed::appended{log, base + at, base + at + count, kind, content, producer_id, to->leader_epoch});
        at += count;
    };
    const auto write = [&](std::int32_t count) {
        const auto first = last_content_ + 1;
        for (std::int32_t i = 0; i < count; ++i) {
            builder.append_at(at + i, {.timestamp = timestamp, .value = value.of(++last_content_)});
        }
        tell(observed::appended::kind::data, count, first);
    };
    tell(observed::appended::kind::compacted, what.gap_before, 0);
    write(what.records / 2);
    if (what.records > 1) tell(observed::appended::kind::compacted, what.gap_inside, 0);
    write(what.records - what.records / 2);
    tell(observed::appended::kind::compacted, what.gap_behind, 0);
    if (at == 0) return false;
    if (what.gap_behind > 0 || what.records == 0) builder.reach(at - 1);
    to->log.append(builder.build(), to->leader_epoch);
    cluster_.touched();
    return true;
}

void log_writer::end_transaction(const std::string& topic, std::int32_t partition, std::int64_t producer_id,
                                 bool commit) {
    log_id log;
    auto* const to = find(topic, partition, log);
    if (!to) return;
    const auto at = to->log.high_watermark();
    to->log.end_transaction(producer_id, 0, commit, clock_.wall().time_since_epoch().count(), to->leader_epoch);
    // Its records were lost with an election: there is nothing to end.
    if (to->log.high_watermark() == at) return;
    newest_marker_ends_[log.value()] = to->log.high_watermark();
    told_.tell(
        observed::appended{log, at, at + 1, observed::appended::kind::control, 0, producer_id, to->leader_epoch});
    told_.tell(observed::transaction_ended{log, producer_id, commit});
    cluster_.touched();
}

// ---- what becomes of logs

void log_writer::truncate(const std::string& topic, std::int32_t partition, std::int64_t records) {
    log_id log;
    auto* const cut = find(topic, partition, log);
    if (!cut || cut->leader == protocol::no_broker) return;
    const auto least = std::max(cut->log.start_offset(), newest_marker_ends_[log.value()]);
    auto to = std::max(cut->log.high_watermark() - records, least);
    // Between two batches, as leaders are cut: a part of one would be gone and stand in no log.
    for (const auto& batch : cut->log.batches()) {
        if (batch.base_offset < to && to < batch.next_offset) to = batch.base_offset;
    }
    if (to < least || to >= cut->log.high_watermark()) return;
    cut->log.truncate_to(to);
    cluster_.state().elect(*cut, cut->leader);
    told_.tell(observed::truncated{log, cut->log.high_watermark()});
    told_.tell(observed::leader_changed{log, cut->leader, cut->leader_epoch});
    cluster_.touched();
}

void log_writer::move_log_start(const std::string& topic, std::int32_t partition, std::int64_t records) {
    log_id log;
    auto* const cut = find(topic, partition, log);
    if (!cut || records <= 0) return;
    cut->log.delete_before(std::min(cut->log.start_offset() + records, cut->log.last_stable_offset()));
    told_.tell(observed::log_start_moved{log, cut->log.start_offset()});
    cluster_.touched();
}

void log_writer::move_leader(const std::string& topic, std::int32_t partition) {
    log_id log;
    auto* const moved = find(topic, partition, log);
    if (!moved || moved->leader == protocol::no_broker || moved->replicas.empty()) return;
    const auto& replicas = moved->replicas;
    const auto at =
        static_cast<std::size_t>(std::find(replicas.begin(), replicas.end(), moved->leader) - replicas.begin());
    auto next = moved->leader;
    for (std::size_t i = 1; i <= replicas.size() && next == moved->leader; ++i) {
        const auto candidate = replicas[(at + i) % replicas.size()];
        const auto* broker = cluster_.state().find_broker(candidate);
        if (broker && broker->running) next = candidate;
    }
    cluster_.state().elect(*moved, next);
    told_.tell(observed::leader_changed{log, next, moved->leader_epoch});
    cluster_.touched();
}

}  // namespace strandline::testkit::sim
