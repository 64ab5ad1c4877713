#include "base/uuid.hpp"

namespace strandline::base {

namespace {
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t text_length = 22;
}  // namespace

std::string uuid::to_string() const {
    std::string text;
    text.reserve(text_length);
    std::uint32_t pending = 0;
    int bits = 0;
    for (const auto octet : octets) {
        pending = (pending << 8U) | octet;
        bits += 8;
        while (bits >= 6) {
            bits -= 6;
            text += alphabet[(pending >> bits) & 63U];
        }
    }
    text += alphabet[(pending << (6 - bits)) & 63U];
    return text;
}

std::optional<uuid> uuid::parse(std::string_view text) {
    if (text.size() != text_length) return std::nullopt;
    uuid parsed;
    std::uint32_t pending = 0;
    int bits = 0;
    std::size_t filled = 0;
    for (const char c : text) {
        const auto value = alphabet.find(c);
        if (value == std::string_view::npos) return std::nullopt;
        pending = (pending << 6U) | static_cast<std::uint32_t>(value);
        bits += 6;
        if (bits >= 8 && filled < parsed.octets.size()) {
            bits -= 8;
            parsed.octets[filled++] = static_cast<std::uint8_t>(pending >> bits);
        }
    }
    return parsed;
}

uuid uuid::random(random_source& random) {
    uuid made;
    for (std::size_t half = 0; half < 2; ++half) {
        const std::uint64_t word = random.next();
        for (std::size_t i = 0; i < 8; ++i) made.octets[half * 8 + i] = static_cast<std::uint8_t>(word >> (8 * i));
    }
    made.octets[6] = static_cast<std::uint8_t>((made.octets[6] & 0x0fU) | 0x40U);
    made.octets[8] = static_cast<std::uint8_t>((made.octets[8] & 0x3fU) | 0x80U);
    return made;
}

}  // namespace strandline::base
