#include "apps/output/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace strandline::apps::output {

namespace {

// Length of the sequence at `at`, of `left` bytes; 0: malformed. Not called for ASCII.
std::size_t sequence(const unsigned char* at, std::size_t left) noexcept {
    const auto continues = [&](std::size_t i) { return (at[i] & 0xc0U) == 0x80U; };
    const auto first = at[0];
    if (first >= 0xc2 && first <= 0xdf) return left >= 2 && continues(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        if (left < 3 || !continues(1) || !continues(2)) return 0;
        if (first == 0xe0 && at[1] < 0xa0) return 0;  // has a shorter form
        if (first == 0xed && at[1] > 0x9f) return 0;  // a surrogate
        return 3;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        if (left < 4 || !continues(1) || !continues(2) || !continues(3)) return 0;
        if (first == 0xf0 && at[1] < 0x90) return 0;
        if (first == 0xf4 && at[1] > 0x8f) return 0;  // above U+10FFFF
        return 4;
    }
    return 0;
}

}  // namespace

bool is_utf8(std::string_view bytes) noexcept {
    const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
    std::size_t left = bytes.size();
    while (left > 0) {
        // Most text is ASCII: eight bytes at a time.
        std::uint64_t word = 0;
        while (left >= sizeof word) {
            std::memcpy(&word, at, sizeof word);
            if ((word & 0x8080808080808080U) != 0) break;
            at += sizeof word;
            left -= sizeof word;
        }
        if (left == 0) return true;
        const auto length = *at < 0x80 ? 1 : sequence(at, left);
        if (length == 0) return false;
        at += length;
        left -= length;
    }
    return true;
}

}  // namespace strandline::apps::output
