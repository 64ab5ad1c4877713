#include "testkit/simulator/checkers/truth.hpp"

#include <algorithm>
#include <variant>

namespace strandline::testkit::sim {

using kind = observed::appended::kind;
using fate = log_stretch::fate;

// What waited for the end of a stall happens within this.
constexpr base::duration after_a_stall = std::chrono::seconds(2);

// ---- one log

void true_log::append(const observed::appended& what) {
    const auto state = what.producer_id >= 0 && what.what == kind::data ? fate::open : fate::plain;
    const log_stretch made{what.from,        what.to, what.what,        what.first_content,
                           what.producer_id, state,   what.leader_epoch};
    end_ = std::max(end_, what.to);
    // Also by a batch of which compaction left nothing.
    if (what.producer_id >= 0 && what.what != kind::control) open_.try_emplace(what.producer_id, what.from);
    if (!stretches_.empty()) {
        auto& last = stretches_.back();
        const bool alike = last.to == made.from && last.what == made.what && last.producer_id == made.producer_id &&
                           last.state == made.state && last.leader_epoch == made.leader_epoch &&
                           (made.what != kind::data ||
                            last.first_content + static_cast<std::uint64_t>(last.to - last.from) == made.first_content);
        if (alike) {
            last.to = made.to;
            return;
        }
    }
    stretches_.push_back(made);
}

void true_log::end_transaction(std::int64_t producer_id, bool committed) {
    const auto open = open_.find(producer_id);
    if (open == open_.end()) return;
    const auto first = first_reaching(open->second) - stretches_.cbegin();
    open_.erase(open);
    for (auto at = stretches_.begin() + first; at != stretches_.end(); ++at) {
        if (at->producer_id == producer_id && at->state == fate::open) {
            at->state = committed ? fate::committed : fate::aborted;
        }
    }
}

void true_log::truncate(std::int64_t to) {
    ++truncations_;
    cuts_.push_back(to);
    while (!stretches_.empty() && stretches_.back().to > to) {
        auto cut = stretches_.back();
        if (cut.from >= to) {
            stretches_.pop_back();
        } else {
            stretches_.back().to = to;
            cut.first_content += static_cast<std::uint64_t>(to - cut.from);
            cut.from = to;
        }
        cut_off_.push_back(cut);
    }
    std::erase_if(open_, [&](const auto& entry) { return entry.second >= to; });
    end_ = std::min(end_, to);
    start_ = std::min(start_, end_);
}

std::int64_t true_log::last_stable() const noexcept {
    auto lowest = end_;
    for (const auto& [producer, first] : open_) lowest = std::min(lowest, first);
    return lowest;
}

std::int64_t true_log::cut_since(std::uint32_t truncations) const {
    std::int64_t lowest = INT64_MAX;
    for (std::size_t i = truncations; i < cuts_.size(); ++i) lowest = std::min(lowest, cuts_[i]);
    return lowest;
}

std::int64_t true_log::end_of_epoch(std::int32_t leader_epoch) const {
    const auto later = std::partition_point(stretches_.begin(), stretches_.end(), [&](const log_stretch& stretch) {
        return stretch.leader_epoch <= leader_epoch;
    });
    return later == stretches_.end() ? end_ : later->from;
}

std::vector<log_stretch>::const_iterator true_log::first_reaching(std::int64_t offset) const {
    return std::partition_point(stretches_.begin(), stretches_.end(),
                                [&](const log_stretch& stretch) { return stretch.to <= offset; });
}

const log_stretch* true_log::find(std::int64_t offset) const {
    const auto at = first_reaching(offset);
    return at == stretches_.end() || at->from > offset ? nullptr : &*at;
}

bool true_log::is_visible(std::int64_t offset, bool committed_only) const {
    return first_visible(offset, offset + 1, committed_only).has_value();
}

std::optional<std::int64_t> true_log::first_visible(std::int64_t from, std::int64_t to, bool committed_only) const {
    from = std::max(from, start_);
    if (committed_only) to = std::min(to, last_stable());
    for (auto at = first_reaching(from); at != stretches_.end() && at->from < to; ++at) {
        if (at->what != kind::data || (committed_only && at->state == fate::aborted)) continue;
        const auto offset = std::max(at->from, from);
        if (offset < to) return offset;
    }
    return std::nullopt;
}

std::uint64_t true_log::content(std::int64_t offset) const {
    const auto* stretch = find(offset);
    return stretch ? stretch->first_content + static_cast<std::uint64_t>(offset - stretch->from) : 0;
}

bool true_log::ever_held(std::int64_t offset, std::uint64_t content) const {
    const auto holds = [&](const log_stretch& stretch) {
        return stretch.what == kind::data && stretch.from <= offset && offset < stretch.to &&
               stretch.first_content + static_cast<std::uint64_t>(offset - stretch.from) == content;
    };
    const auto* now = find(offset);
    return (now && holds(*now)) || std::any_of(cut_off_.begin(), cut_off_.end(), holds);
}

// ---- the cluster

namespace {

template <class... Cases>
struct overloaded : Cases... {
    using Cases::operator()...;
};

}  // namespace

void truth::add(const std::string& name, protocol::topic_id id, log_id first, std::int32_t from, std::int32_t to) {
    for (auto index = from; index < to; ++index) {
        const log_id log(first.value() + static_cast<std::uint32_t>(index - from));
        if (partitions_.size() <= log.value()) partitions_.resize(log.value() + std::size_t{1});
        auto& made = partitions_[log.value()];
        made.topic = name;
        made.topic_id = id;
        made.index = index;
        by_id_.set(id, index, log);
        by_name_.set(name, index, log);
    }
}

void truth::take(const observation& seen) {
    std::visit(
        overloaded{
            [&](const observed::topic_created& one) { add(one.name, one.id, one.first, 0, one.partitions); },
            [&](const observed::partitions_added& one) {
                const auto known = find(one.id, 0);
                // Its own copy of the name: what it is taken from moves.
                if (known != no_log) add(std::string(find(known)->topic), one.id, one.first, one.already, one.total);
            },
            [&](const observed::topic_deleted& one) {
                for (auto& partition : partitions_) partition.deleted |= partition.topic_id == one.id;
            },
            [&](const observed::appended& one) { at(one.log).log.append(one); },
            [&](const observed::transaction_ended& one) {
                at(one.log).log.end_transaction(one.producer_id, one.committed);
            },
            [&](const observed::truncated& one) {
                at(one.log).log.truncate(one.to);
                last_trouble_ = seen.at;
            },
            [&](const observed::log_start_moved& one) { at(one.log).log.move_start(one.to); },
            [&](const observed::leader_changed& one) {
                at(one.log).leader = one.broker;
                at(one.log).leader_epoch = one.leader_epoch;
                last_trouble_ = seen.at;
            },
            [&](const observed::broker_state_changed&) { last_trouble_ = seen.at; },
            [&](const observed::coordinator_changed&) { last_trouble_ = seen.at; },
            [&](const observed::group_member_changed& one) {
                using change = observed::group_member_changed::kind;
                const bool live = one.what != change::left && one.what != change::fenced;
                members_.insert_or_assign({one.group, one.member_id}, true_member{one, live});
            },
            [&](const observed::offset_stored& one) { committed_.insert_or_assign({one.group, one.log}, one.offset); },
            [&](const observed::offsets_expired& one) {
                std::erase_if(committed_, [&](const auto& known) { return known.first.first == one.group; });
            },
            [&](const observed::consumer_started& one) {
                const std::size_t who = seen.consumer.value();
                if (settings_.size() <= who) settings_.resize(who + 1);
                settings_[who] = one.settings;
            },
            [&](const observed::fault_applied& one) {
                faults_.insert_or_assign(one.id, one.what);
                ++faults_seen_[static_cast<std::size_t>(one.what)];
                calm_since_ = base::never;
                if (one.what == observed::fault_kind::stall || one.what == observed::fault_kind::slow_application) {
                    stalls_.insert(one.id);
                    stalled_until_ = base::never;
                }
                last_trouble_ = seen.at;
            },
            [&](const observed::fault_healed& one) {
                faults_.erase(one.id);
                if (stalls_.erase(one.id) > 0 && stalls_.empty()) stalled_until_ = seen.at + after_a_stall;
                last_trouble_ = seen.at;
            },
            [&](const observed::all_healed&) {
                faults_.clear();
                if (!stalls_.empty()) stalled_until_ = seen.at + after_a_stall;
                stalls_.clear();
                calm_since_ = seen.at;
                last_trouble_ = seen.at;
            },
            [](const auto&) {}},
        seen.what);
}

const true_partition* truth::find(log_id log) const noexcept {
    return log.value() < partitions_.size() ? &partitions_[log.value()] : nullptr;
}

log_id truth::find(protocol::topic_id topic, std::int32_t partition) const { return by_id_.find(topic, partition); }

log_id truth::find(std::string_view topic, std::int32_t partition) const { return by_name_.find(topic, partition); }

std::string truth::name_of(log_id log) const {
    const auto* known = find(log);
    return known ? known->topic + "-" + std::to_string(known->index) : "a partition that never was";
}

std::optional<std::int64_t> truth::committed(const std::string& group, log_id log) const {
    const auto at = committed_.find({group, log});
    return at == committed_.end() ? std::nullopt : std::optional(at->second);
}

const true_member* truth::member(const std::string& group, const std::string& id) const {
    const auto at = members_.find({group, id});
    return at == members_.end() ? nullptr : &at->second;
}

const core::boundary::core_config* truth::settings(consumer_id consumer) const noexcept {
    return consumer.value() < settings_.size() ? settings_[consumer.value()].get() : nullptr;
}

bool truth::reads_committed_only(consumer_id consumer) const noexcept {
    const auto* known = settings(consumer);
    return !known || known->isolation == core::boundary::isolation_level::read_committed;
}

}  // namespace strandline::testkit::sim
