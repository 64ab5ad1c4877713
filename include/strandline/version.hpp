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

// Names and versions of what the library itself is linked with: "c-ares 1.18.1, fmt 9.1.0, ...".
STRANDLINE_API std::string_view linked_libraries();

}  // namespace strandline::inline v0
