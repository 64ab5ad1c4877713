// Configuration as text: names and values, as in Java's properties files and librdkafka's -X options.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <strandline/error.hpp>
#include <strandline/export.hpp>

namespace strandline::inline v0 {

using properties = std::map<std::string, std::string>;

// Reads Java's properties format: name=value or name: value, # and ! comments, \ continues a line, escapes.
STRANDLINE_API result<properties> parse_properties(std::string_view text);
STRANDLINE_API result<properties> load_properties(const std::string& file);

}  // namespace strandline::inline v0
