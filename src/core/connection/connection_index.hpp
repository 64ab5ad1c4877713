// Which connection a transport's id belongs to, whose time comes next, and what changed since last asked.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/instant.hpp"
#include "core/connection/broker_connection.hpp"
#include "core/connection/network.hpp"

namespace strandline::core::connection {

// Holds every connection there is, by key; it has to be told when one changes.
class connection_index {
public:
    // The ids and the deadline that the connection has by now. reschedule: only the latter.
    void update(const broker_connection& connection);
    void reschedule(const broker_connection& connection);
    void remove(connection_key key);

    std::optional<connection_key> find(connection_id id) const;
    std::vector<connection_key> keys() const;
    bool empty() const noexcept { return entries_.empty(); }
    std::size_t size() const noexcept { return entries_.size(); }
    connection_key first() const noexcept { return entries_.begin()->first; }

    // Something of this broker changed beside its connections.
    void note(protocol::broker_id broker) {
        if (changed_.empty() || changed_.back() != broker) changed_.push_back(broker);
    }
    // Brokers of whom something changed, perhaps more than once; for whoever looks to clear.
    std::vector<protocol::broker_id>& changed() noexcept { return changed_; }

    // The earliest deadline; never if there is none.
    base::instant next_deadline() const noexcept;
    // The connection that it belongs to; only if there is one.
    connection_key next_due() const noexcept { return deadlines_.begin()->second; }

private:
    struct entry {
        base::instant deadline = base::never;
        std::vector<connection_id> ids;
    };
    std::map<connection_key, entry> entries_;
    std::unordered_map<connection_id, connection_key> by_id_;
    std::set<std::pair<base::instant, connection_key>> deadlines_;
    std::vector<protocol::broker_id> changed_;
};

}  // namespace strandline::core::connection
