// What a record's timestamp means.
#pragma once

#include <cstdint>
#include <string_view>

namespace strandline::records {

// none: magic 0, which has no timestamps. create_time: set by the producer. log_append_time: set by the broker, one for
// the whole batch.
enum class timestamp_type : std::int8_t { none = -1, create_time = 0, log_append_time = 1 };

std::string_view to_string(timestamp_type type) noexcept;

}  // namespace strandline::records
