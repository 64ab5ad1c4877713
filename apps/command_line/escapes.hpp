// Escapes in formats and delimiters: \n \r \t \\ \0 \xNN.
#pragma once

#include <string>
#include <string_view>

#include "apps/command_line/text_result.hpp"

namespace strandline::apps::command_line {

// Takes the escape that `text` begins with, a backslash, and gives the character it means.
text_result<char> take_escape(std::string_view& text);
text_result<std::string> unescaped(std::string_view text);

}  // namespace strandline::apps::command_line
