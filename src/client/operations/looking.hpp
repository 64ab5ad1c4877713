// What the newest published state answers at once, and what is told without waiting. Any thread; the gate is not asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <strandline/offsets.hpp>
#include <strandline/topic_partition.hpp>

#include "client/consumer_state.hpp"

namespace strandline::client {

partitions assignment(const consumer_state& state);
partitions paused(const consumer_state& state);
std::vector<std::string> subscription(const consumer_state& state);
std::optional<std::int64_t> lag(const consumer_state& state, const topic_partition& partition);
strandline::group_metadata group_metadata(const consumer_state& state);

void wakeup(consumer_state& state) noexcept;
void request_close(consumer_state& state) noexcept;

}  // namespace strandline::client
