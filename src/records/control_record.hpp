// What a control batch says.
#pragma once

#include <cstdint>
#include <optional>

#include "records/record_batch.hpp"
#include "records/record_error.hpp"

namespace strandline::records {

enum class control_record_type : std::int16_t {
    abort = 0,
    commit = 1,
    leader_change = 2,
    snapshot_header = 3,
    snapshot_footer = 4,
    kraft_version = 5,
    kraft_voters = 6
    // Brokers may write others: readers pass over what they do not know.
};

struct control_record {
    std::int16_t version = 0;
    control_record_type type{};
    // Of the transaction coordinator; -1 for types other than abort and commit.
    std::int32_t coordinator_epoch = -1;

    friend bool operator==(const control_record&, const control_record&) = default;
};

// The first record of a control batch; nothing when compaction left none.
result<std::optional<control_record>> read_control_record(const record_batch& batch);

}  // namespace strandline::records
