#include "core/offsets/position_errors.hpp"

#include <string>

#include <fmt/format.h>

namespace strandline::core::offsets {

namespace {

error_subject about(const topic_partition& partition, std::optional<std::int64_t> offset = {}) {
    error_subject subject;
    subject.partition = partition;
    subject.topic = partition.topic;
    subject.offset = offset;
    return subject;
}

}  // namespace

error no_offset_for_partition(const topic_partition& partition) {
    return {errc::no_offset_for_partition,
            fmt::format("{} has no committed offset and auto.offset.reset is none: seek, or set a reset policy",
                        to_string(partition)),
            about(partition)};
}

error offset_out_of_range(const topic_partition& partition, std::int64_t offset, std::int64_t log_start_offset,
                          std::int64_t high_watermark) {
    std::string range = "the log does not contain it";
    if (log_start_offset >= 0 && high_watermark >= 0) {
        range = fmt::format("the log holds {} up to {}", log_start_offset, high_watermark);
    } else if (log_start_offset >= 0) {
        range = fmt::format("the log begins at {}", log_start_offset);
    }
    return {errc::offset_out_of_range,
            fmt::format("offset {} of {} is out of range ({}) and auto.offset.reset is none: seek to go on", offset,
                        to_string(partition), range),
            about(partition, offset)};
}

error log_truncated(const topic_partition& partition, std::int64_t position, std::optional<std::int64_t> end_offset) {
    const auto where = end_offset ? fmt::format("it now differs from offset {} on", *end_offset)
                                  : std::string("its leader does not know what was read");
    return {errc::log_truncation,
            fmt::format("the log of {} was truncated below the position {} ({}) and auto.offset.reset is none: seek to "
                        "go on",
                        to_string(partition), position, where),
            about(partition, end_offset ? end_offset : std::optional(position))};
}

error refused_by_broker(const topic_partition& partition, protocol::broker_error why, const char* what) {
    return {std::error_code(static_cast<int>(why), kafka_category()),
            fmt::format("{} of {} was refused: {} ({})", what, to_string(partition), protocol::meaning(why),
                        protocol::to_string(why)),
            about(partition)};
}

error not_assigned(const topic_partition& partition, const char* call) {
    return {errc::invalid_state,
            fmt::format("{} of {}: it is not assigned to this consumer", call, to_string(partition)), about(partition)};
}

}  // namespace strandline::core::offsets
