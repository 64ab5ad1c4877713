// The command line, read and checked.
#pragma once

#include <string>
#include <variant>

#include "apps/command_line/consume_options.hpp"
#include "apps/command_line/fake_options.hpp"

namespace strandline::apps::command_line {

// Asked for: goes to stdout.
struct help_text {
    std::string text;
};

// Ends with status 2: one line that names what is wrong, and one that points to the help.
struct usage_error {
    std::string text;
    std::string command;  // empty: none was recognised
};

using request = std::variant<help_text, usage_error, consume_options, fake_options>;

request read(int argc, const char* const* argv);

}  // namespace strandline::apps::command_line
