// Where to start, as people type it: beginning, end, 100, -10, @1700000000000, @2024-05-01T12:00:00Z, @-1h.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "apps/command_line/text_result.hpp"

namespace strandline::apps::command_line {

struct offset_spec {
    enum class kind : std::uint8_t {
        beginning,
        end,
        absolute,    // number: the offset
        before_end,  // number: how many records before the end
        time,        // number: milliseconds since 1970
    };
    kind what = kind::beginning;
    std::int64_t number = 0;

    friend bool operator==(const offset_spec&, const offset_spec&) = default;
};

// `now` is what @-1h counts from.
text_result<offset_spec> read_offset_spec(std::string_view text, std::chrono::sys_time<std::chrono::milliseconds> now);

}  // namespace strandline::apps::command_line
