// Text read from the command line, or in words why it cannot be.
#pragma once

#include <string>

#include <tl/expected.hpp>

namespace strandline::apps::command_line {

// The error completes a sentence that begins with the option and the text: `is no duration; accepted: ...`.
template <class Value>
using text_result = tl::expected<Value, std::string>;

}  // namespace strandline::apps::command_line
