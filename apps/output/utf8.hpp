// Whether bytes are text.
#pragma once

#include <string_view>

namespace strandline::apps::output {

// Well-formed UTF-8: shortest forms only, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view bytes) noexcept;

}  // namespace strandline::apps::output
