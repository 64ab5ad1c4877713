// Where to begin in a partition for which the group has no usable offset.
#pragma once

#include <chrono>
#include <cstdint>

namespace strandline::inline v0 {

// auto.offset.reset.
struct offset_reset {
    enum class kind : std::uint8_t { none, earliest, latest, by_duration };
    kind what = kind::latest;
    std::chrono::milliseconds ago{};  // by_duration only

    static const offset_reset none;      // poll reports no_offset_for_partition
    static const offset_reset earliest;
    static const offset_reset latest;
    // At the first record that is not older than `ago` (KIP-1106).
    static constexpr offset_reset by_duration(std::chrono::milliseconds ago) { return {kind::by_duration, ago}; }

    friend bool operator==(const offset_reset&, const offset_reset&) = default;
};

inline constexpr offset_reset offset_reset::none{offset_reset::kind::none, {}};
inline constexpr offset_reset offset_reset::earliest{offset_reset::kind::earliest, {}};
inline constexpr offset_reset offset_reset::latest{offset_reset::kind::latest, {}};

}  // namespace strandline::inline v0
