// What one broker has been told about the partitions we fetch from it (KIP-227). Changes only with the broker's
// answers, from the request's own copy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/sorted_chunks.hpp"
#include "core/boundary/identity.hpp"
#include "protocol/broker_error.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::fetch {

// What a Fetch asks about one partition.
struct fetch_entry {
    boundary::partition_ref partition;
    boundary::incarnation era;
    std::int64_t offset = 0;
    boundary::slot_id slot;
    protocol::leader_epoch leader_epoch{-1};
    std::int32_t max_bytes = 0;
    bool of_follower = false;  // the broker is not the partition's leader

    friend bool operator==(const fetch_entry&, const fetch_entry&) = default;
};

// No longer asked for under this slot.
struct dropped_partition {
    boundary::slot_id slot;
    boundary::partition_ref partition;
};

// One request as the session sees it, kept until its answer.
struct fetch_session_step {
    std::int32_t session_id = 0;
    protocol::session_epoch epoch{0};
    bool full = true;
    bool by_id = false;  // topics go by id, not by name
    std::vector<fetch_entry> updated;  // in the order in which they are to be served
    std::vector<boundary::partition_ref> forgotten;
};

class fetch_session {
public:
    // Whether the next request has to name every partition: the session is not open, or goes from names to ids or back.
    bool needs_all(bool by_id) const noexcept { return next_epoch_ == opening || by_id != by_id_; }

    // A request that opens the session anew with all of `entries`.
    fetch_session_step open(std::vector<fetch_entry> entries, bool by_id) const;
    // A request within the session: of `entries` what the broker does not know yet, of `dropped` what it still knows.
    fetch_session_step go_on(std::vector<fetch_entry> entries, const std::vector<dropped_partition>& dropped) const;
    // A request that the broker answers without a session.
    static fetch_session_step without_session(std::vector<fetch_entry> entries, bool by_id);
    // Ends the session, if there is one.
    std::optional<fetch_session_step> close() const;

    void on_answer(fetch_session_step step, std::int32_t session_id);
    void on_refused(protocol::broker_error why) noexcept;
    // No answer: the broker may have seen the request or not.
    void on_lost() noexcept { next_epoch_ = opening; }

    // As of the last answer.
    const fetch_entry* find(const std::string& topic, std::int32_t partition) const;
    const fetch_entry* find(protocol::topic_id topic, std::int32_t partition) const;
    std::int32_t id() const noexcept { return id_; }

private:
    static constexpr protocol::session_epoch opening{0};
    static constexpr protocol::session_epoch closing{-1};

    const fetch_entry* find(const boundary::partition_ref& partition) const;
    void put(fetch_entry entry);

    std::int32_t id_ = 0;
    protocol::session_epoch next_epoch_ = opening;
    bool by_id_ = false;
    base::sorted_chunks<fetch_entry> entries_;  // by the names of their partitions
    std::unordered_map<protocol::topic_id, std::string> names_;
};

}  // namespace strandline::core::fetch
