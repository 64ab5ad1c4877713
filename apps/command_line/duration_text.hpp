// Durations as people type them: 500ms, 10s, 5m, 1h, 2d; a bare number is seconds.
#pragma once

#include <chrono>
#include <string_view>

#include "apps/command_line/text_result.hpp"

namespace strandline::apps::command_line {

text_result<std::chrono::milliseconds> read_duration(std::string_view text);

}  // namespace strandline::apps::command_line
