// What a message's describe says of a field beside its name and place: in which versions it stands, and how.
#pragma once

#include <cstdint>
#include <limits>

namespace strandline::protocol {

// The rule of one field. Without a rule a field stands in every version of its struct, untagged, and an optional one
// may be null in all of them.
struct field_rule {
    static constexpr std::int16_t no_tag = -1;

    std::int16_t first_version = 0;
    std::int16_t last_version = std::numeric_limits<std::int16_t>::max();
    std::int16_t first_nullable_version = 0;
    std::int16_t tag_number = no_tag;
    bool is_ignorable = false;

    // A value that the version cannot carry is left out silently. Without it, encoding such a value is an error.
    constexpr field_rule ignorable() const noexcept {
        auto rule = *this;
        rule.is_ignorable = true;
        return rule;
    }
    // Travels in the struct's tagged fields, and only if it differs from its default.
    constexpr field_rule tagged(std::int16_t number) const noexcept {
        auto rule = *this;
        rule.tag_number = number;
        return rule;
    }
    // May be null from this version on only.
    constexpr field_rule nullable_since(std::int16_t version) const noexcept {
        auto rule = *this;
        rule.first_nullable_version = version;
        return rule;
    }

    constexpr bool is_tagged() const noexcept { return tag_number != no_tag; }
    constexpr bool stands_in(std::int16_t version) const noexcept {
        return version >= first_version && version <= last_version;
    }
    constexpr bool may_be_null_in(std::int16_t version) const noexcept { return version >= first_nullable_version; }
};

// first_flexible_version of a message that has no tagged fields in any version.
inline constexpr std::int16_t never_flexible = std::numeric_limits<std::int16_t>::max();

inline constexpr field_rule always{};

constexpr field_rule since(std::int16_t version) noexcept { return {.first_version = version}; }
constexpr field_rule until(std::int16_t version) noexcept { return {.last_version = version}; }
constexpr field_rule between(std::int16_t first, std::int16_t last) noexcept {
    return {.first_version = first, .last_version = last};
}
constexpr field_rule nullable_since(std::int16_t version) noexcept { return always.nullable_since(version); }

}  // namespace strandline::protocol
