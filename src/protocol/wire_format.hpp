// How a body is laid out in one version of one message.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "protocol/tagged_field.hpp"

namespace strandline::protocol {

struct wire_format {
    std::int16_t version{};
    // KIP-482: lengths are varints and every struct ends in its tagged fields.
    bool flexible{};

    template <class Message>
    static constexpr wire_format of(std::int16_t version) noexcept {
        return {.version = version, .flexible = version >= Message::first_flexible_version};
    }
};

// A message, or a struct inside one.
template <class Value>
concept described = requires(Value value) {
    { value.unknown_tagged_fields } -> std::same_as<tagged_fields&>;
};

template <class Value>
inline constexpr bool is_vector = false;
template <class Element>
inline constexpr bool is_vector<std::vector<Element>> = true;

template <class Value>
inline constexpr bool is_optional = false;
template <class Value>
inline constexpr bool is_optional<std::optional<Value>> = true;

// What a field has until somebody sets it.
template <class Struct>
const Struct& defaults_of() {
    static const Struct defaults{};
    return defaults;
}

}  // namespace strandline::protocol
