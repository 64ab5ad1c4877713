// The fewest bytes a value of a type can take on the wire: what an array's length must be plausible against.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/uuid.hpp"
#include "protocol/field.hpp"
#include "protocol/wire_format.hpp"
#include "protocol/wire_number.hpp"

namespace strandline::protocol {

template <class Value>
constexpr std::size_t minimum_size(wire_format format) noexcept;

namespace detail {

// Adds up the fields of a struct that stand in a version outside the tagged ones.
struct minimum_size_of_fields {
    wire_format format;
    std::size_t total;

    template <class Struct, class Member>
    constexpr void operator()(std::string_view, Member Struct::*, field_rule rule = always) noexcept {
        if (!rule.is_tagged() && rule.stands_in(format.version)) total += minimum_size<Member>(format);
    }
};

}  // namespace detail

template <class Value>
constexpr std::size_t minimum_size(wire_format format) noexcept {
    if constexpr (wire_number<Value>) {
        return sizeof(wire_form_t<Value>);
    } else if constexpr (std::same_as<Value, base::uuid>) {
        return sizeof(Value::octets);
    } else if constexpr (std::same_as<Value, std::string>) {
        return format.flexible ? 1 : sizeof(std::int16_t);
    } else if constexpr (std::same_as<Value, base::shared_bytes> || is_vector<Value>) {
        return format.flexible ? 1 : sizeof(std::int32_t);
    } else if constexpr (is_optional<Value>) {
        using inner = typename Value::value_type;
        return described<inner> ? sizeof(std::int8_t) : minimum_size<inner>(format);
    } else {
        static_assert(described<Value>);
        // A flexible struct ends in the number of its tagged fields.
        detail::minimum_size_of_fields sum{format, format.flexible ? std::size_t{1} : std::size_t{0}};
        Value::describe(sum);
        return sum.total;
    }
}

}  // namespace strandline::protocol
