#include "core/connection/connection_index.hpp"

namespace strandline::core::connection {

void connection_index::update(const broker_connection& connection) {
    auto& known = entries_[connection.key()];
    auto ids = connection.ids();
    if (ids != known.ids) {
        for (const auto id : known.ids) by_id_.erase(id);
        for (const auto id : ids) by_id_.insert_or_assign(id, connection.key());
        known.ids = std::move(ids);
    }
    reschedule(connection);
}

void connection_index::reschedule(const broker_connection& connection) {
    note(connection.key().broker);
    auto& known = entries_[connection.key()];
    const auto deadline = connection.deadline();
    if (deadline == known.deadline) return;
    deadlines_.erase({known.deadline, connection.key()});
    if (deadline != base::never) deadlines_.emplace(deadline, connection.key());
    known.deadline = deadline;
}

void connection_index::remove(connection_key key) {
    const auto it = entries_.find(key);
    if (it == entries_.end()) return;
    note(key.broker);
    for (const auto id : it->second.ids) by_id_.erase(id);
    deadlines_.erase({it->second.deadline, key});
    entries_.erase(it);
}

std::optional<connection_key> connection_index::find(connection_id id) const {
    const auto it = by_id_.find(id);
    return it == by_id_.end() ? std::nullopt : std::optional(it->second);
}

std::vector<connection_key> connection_index::keys() const {
    std::vector<connection_key> keys;
    keys.reserve(entries_.size());
    for (const auto& [key, known] : entries_) keys.push_back(key);
    return keys;
}

base::instant connection_index::next_deadline() const noexcept {
    return deadlines_.empty() ? base::never : deadlines_.begin()->first;
}

}  // namespace strandline::core::connection
