// Where auto.offset.reset has a partition go on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <strandline/export.hpp>
#include <strandline/topic_partition.hpp>

namespace strandline::inline v0 {

// Records may have been passed over, or will come again: nothing else tells of that.
struct position_reset {
    enum class cause : std::uint8_t {
        no_committed_offset,  // the group has none of this partition
        out_of_range,         // the log does not reach to the position, any more or yet
        log_truncation,       // the log was cut below the position (KIP-320)
    };
    strandline::topic_partition partition;
    cause why = cause::no_committed_offset;
    std::optional<std::int64_t> from = {};  // the position that led nowhere
    std::int64_t to = 0;
    std::optional<std::int64_t> log_start = {};  // where the log begins, if that is known

    friend bool operator==(const position_reset&, const position_reset&) = default;
};

// "orders-0: offset 3 is out of range, the log begins at 6; goes on at 6".
STRANDLINE_API std::string to_string(const position_reset& reset);

}  // namespace strandline::inline v0
