// Which Strandline this is.
#pragma once

#include <string_view>

#include <strandline/export.hpp>

#define STRANDLINE_VERSION_MAJOR 0
#define STRANDLINE_VERSION_MINOR 1
#define STRANDLINE_VERSION_PATCH 0

namespace strandline::inline v0 {

// Of the library that is linked: "0.1.0".
STRANDLINE_API std::string_view version() noexcept;

// Name and version of what the library itself is linked with: "zstd 1.5.4".
STRANDLINE_API std::string_view linked_libraries();

}  // namespace strandline::inline v0
