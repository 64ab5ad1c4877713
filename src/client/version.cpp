#include <ares.h>
#include <fmt/format.h>
#include <lz4.h>
#include <zlib.h>
#include <zstd.h>

#include <strandline/version.hpp>

namespace strandline::inline v0 {

std::string_view version() noexcept {
#define STRANDLINE_TEXT_(number) #number
#define STRANDLINE_TEXT(number) STRANDLINE_TEXT_(number)
    return STRANDLINE_TEXT(STRANDLINE_VERSION_MAJOR) "." STRANDLINE_TEXT(STRANDLINE_VERSION_MINOR) "." STRANDLINE_TEXT(
        STRANDLINE_VERSION_PATCH);
#undef STRANDLINE_TEXT
#undef STRANDLINE_TEXT_
}

std::string_view linked_libraries() {
    static const std::string text = fmt::format(
        "c-ares {}, fmt {}.{}.{}, lz4 {}, zlib {}, zstd {}", ares_version(nullptr), FMT_VERSION / 10000,
        FMT_VERSION / 100 % 100, FMT_VERSION % 100, LZ4_versionString(), zlibVersion(), ZSTD_versionString());
    return text;
}

}  // namespace strandline::inline v0
