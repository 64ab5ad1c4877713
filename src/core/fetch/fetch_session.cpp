#include "core/fetch/fetch_session.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <set>
#include <utility>

namespace strandline::core::fetch {

namespace {

// Of the same topic, in the way the session names topics.
bool same_on_wire(const boundary::partition_ref& a, const boundary::partition_ref& b, bool by_id) {
    return a->name == b->name && (!by_id || a->topic_id == b->topic_id);
}

struct place_of_partition {
    const std::string& topic;
    std::int32_t partition;
};

std::strong_ordering by_name(const fetch_entry& entry, const place_of_partition& place) {
    const auto& name = entry.partition->name;
    const auto by_topic = name.topic <=> place.topic;
    return by_topic != 0 ? by_topic : name.partition <=> place.partition;
}

place_of_partition place_of(const boundary::partition_ref& partition) {
    return {partition->name.topic, partition->name.partition};
}

protocol::session_epoch after(protocol::session_epoch epoch) noexcept {
    return epoch.value() == std::numeric_limits<std::int32_t>::max() ? protocol::session_epoch(1)
                                                                     : protocol::session_epoch(epoch.value() + 1);
}

}  // namespace

fetch_session_step fetch_session::open(std::vector<fetch_entry> entries, bool by_id) const {
    return {id_, opening, true, by_id, std::move(entries), {}};
}

fetch_session_step fetch_session::without_session(std::vector<fetch_entry> entries, bool by_id) {
    return {0, closing, true, by_id, std::move(entries), {}};
}

std::optional<fetch_session_step> fetch_session::close() const {
    if (id_ == 0) return std::nullopt;
    return fetch_session_step{id_, closing, false, by_id_, {}, {}};
}

fetch_session_step fetch_session::go_on(std::vector<fetch_entry> entries,
                                        const std::vector<dropped_partition>& dropped) const {
    fetch_session_step step{id_, next_epoch_, false, by_id_, {}, {}};
    std::set<topic_partition> asked;
    for (auto& entry : entries) {
        asked.insert(entry.partition->name);
        const auto* known = find(entry.partition);
        if (known && *known == entry) continue;
        if (known && !same_on_wire(known->partition, entry.partition, by_id_)) {
            step.forgotten.push_back(known->partition);
        }
        step.updated.push_back(std::move(entry));
    }
    for (const auto& gone : dropped) {
        // The broker forgets after it has added: naming what is asked for here would lose it.
        if (asked.contains(gone.partition->name)) continue;
        const auto* known = find(gone.partition);
        if (known && known->slot == gone.slot) step.forgotten.push_back(known->partition);
    }
    return step;
}

void fetch_session::on_answer(fetch_session_step step, std::int32_t session_id) {
    if (step.full) {
        entries_.clear();
        names_.clear();
    }
    for (const auto& partition : step.forgotten) entries_.erase(place_of(partition), by_name);
    for (auto& entry : step.updated) put(std::move(entry));
    by_id_ = step.by_id;
    id_ = session_id;
    // Without a session every request names everything, and asks for a session again.
    next_epoch_ = session_id == 0 ? opening : step.full ? protocol::session_epoch(1) : after(step.epoch);
}

void fetch_session::on_refused(protocol::broker_error why) noexcept {
    if (why == protocol::broker_error::fetch_session_id_not_found) id_ = 0;
    next_epoch_ = opening;
}

const fetch_entry* fetch_session::find(const std::string& topic, std::int32_t partition) const {
    return entries_.find(place_of_partition{topic, partition}, by_name);
}

const fetch_entry* fetch_session::find(protocol::topic_id topic, std::int32_t partition) const {
    const auto name = names_.find(topic);
    if (name == names_.end()) return nullptr;
    const auto* entry = find(name->second, partition);
    return entry && entry->partition->topic_id == topic ? entry : nullptr;
}

const fetch_entry* fetch_session::find(const boundary::partition_ref& partition) const {
    return find(partition->name.topic, partition->name.partition);
}

void fetch_session::put(fetch_entry entry) {
    const auto& identity = *entry.partition;
    if (!identity.topic_id.is_zero()) names_.insert_or_assign(identity.topic_id, identity.name.topic);
    const auto place = place_of(entry.partition);
    entries_.insert_or_assign(place, std::move(entry), by_name);
}

}  // namespace strandline::core::fetch
