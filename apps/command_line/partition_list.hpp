// Partitions as people type them: 0,2,5-7.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "apps/command_line/text_result.hpp"

namespace strandline::apps::command_line {

// Sorted, each once.
text_result<std::vector<std::int32_t>> read_partition_list(std::string_view text);

}  // namespace strandline::apps::command_line
