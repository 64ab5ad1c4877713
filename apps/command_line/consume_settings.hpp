// From the words of the command line to consume_options: order, exclusions, defaults.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "apps/command_line/consume_options.hpp"
#include "apps/command_line/text_result.hpp"

namespace strandline::apps::command_line {

// As typed. None: not given.
struct consume_words {
    std::optional<std::string> brokers = {};
    std::optional<std::string> group = {};
    std::vector<std::string> topics = {};
    std::vector<std::string> properties = {};  // -X
    std::vector<std::string> files = {};       // -F
    std::optional<std::string> partitions = {};
    std::optional<std::string> offset = {};
    std::optional<std::string> count = {};
    std::optional<std::string> timeout = {};
    std::optional<std::string> connect_timeout = {};
    std::optional<std::string> format = {};
    std::optional<std::string> key_delimiter = {};
    std::optional<std::string> record_delimiter = {};
    bool exit_eof = false;
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    bool stats = false;
};

// The error is a whole line. `now` is what -o @-1h counts from.
text_result<consume_options> settle(const consume_words& words, std::chrono::sys_time<std::chrono::milliseconds> now);

}  // namespace strandline::apps::command_line
