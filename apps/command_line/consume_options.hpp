// What `strandline consume` was asked to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <strandline/consumer_config.hpp>

#include "apps/command_line/offset_spec.hpp"
#include "apps/output/notes.hpp"
#include "apps/output/record_format.hpp"

namespace strandline::apps::command_line {

struct consume_options {
    consumer_config config;  // a group id in it: as a member
    std::vector<std::string> topics;
    std::vector<std::int32_t> partitions;  // empty: all
    offset_spec from;                      // by hand
    std::optional<std::uint64_t> count;
    bool exit_eof = false;
    std::optional<std::chrono::milliseconds> timeout;
    std::chrono::milliseconds connect_timeout = std::chrono::seconds(10);
    std::optional<output::record_format> format;  // none: JSON
    output::notes::level verbosity = output::notes::level::normal;
    bool stats = false;
};

}  // namespace strandline::apps::command_line
