// What `strandline fake` was asked to do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <strandline/testkit/fake_cluster.hpp>

#include "apps/command_line/text_result.hpp"

namespace strandline::apps::command_line {

struct fake_options {
    std::uint16_t port = 0;
    std::vector<testkit::fake_topic> topics;
    bool demo = false;
};

// NAME or NAME:PARTITIONS.
text_result<testkit::fake_topic> read_topic(std::string_view text);

}  // namespace strandline::apps::command_line
