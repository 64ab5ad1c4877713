// The published decision in words. Whoever wires a kind of consumer knows its managers, their reasons, and what ends
// them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <strandline/explanation.hpp>
#include <strandline/topic_partition.hpp>

#include "base/instant.hpp"
#include "core/boundary/snapshot.hpp"
#include "core/boundary/turn_record.hpp"

namespace strandline::core::boundary {

// What the decision does not know: the application's own side.
struct application_view {
    struct doing {
        std::string name;  // as in call_names; "on_revoked"
        base::instant since;
    };
    std::optional<doing> call;      // the outermost call that is inside
    std::optional<doing> callback;  // the innermost one that runs
    std::optional<doing> inner;     // a call that this callback has made
    bool closed = false;
    std::size_t bytes_queued = 0;  // of records that wait to be polled
    std::size_t bytes_in_use = 0;
    std::size_t memory_limit = 0;
    partitions handed_out;  // of which the application holds records, as far as is known
    base::duration fetch_max_wait{};
    bool read_committed = true;
    std::optional<std::string> group_id;
};

explanation explain(const snapshot& published, const application_view& application, base::instant now);

explained_turn words_of(const turn_record& turn, base::instant now);

}  // namespace strandline::core::boundary
