// The errors with which a partition stands still, in words that say what to do.
#pragma once

#include <cstdint>
#include <optional>

#include <strandline/error.hpp>
#include <strandline/topic_partition.hpp>

#include "protocol/broker_error.hpp"

namespace strandline::core::offsets {

error no_offset_for_partition(const topic_partition& partition);
// Marks below zero are not known.
error offset_out_of_range(const topic_partition& partition, std::int64_t offset, std::int64_t log_start_offset,
                          std::int64_t high_watermark);
// `end_offset`: where the log and what was read part ways, if the leader knows.
error log_truncated(const topic_partition& partition, std::int64_t position, std::optional<std::int64_t> end_offset);
error refused_by_broker(const topic_partition& partition, protocol::broker_error why, const char* what);
error not_assigned(const topic_partition& partition, const char* call);

}  // namespace strandline::core::offsets
