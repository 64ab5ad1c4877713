// Numbers of every kind (plain, strong, enum, bool) as the signed integers that travel.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace strandline::protocol {

namespace detail {

template <class Value>
struct wire_form;

template <std::signed_integral Value>
struct wire_form<Value> {
    using type = Value;
};

template <>
struct wire_form<bool> {
    using type = std::int8_t;
};

template <class Value>
    requires std::is_enum_v<Value>
struct wire_form<Value> {
    using type = std::underlying_type_t<Value>;
};

template <class Value>
    requires requires { typename Value::number_type; }
struct wire_form<Value> {
    using type = typename Value::number_type;
};

}  // namespace detail

template <class Value>
concept wire_number = requires { typename detail::wire_form<Value>::type; };

template <wire_number Value>
using wire_form_t = typename detail::wire_form<Value>::type;

template <wire_number Value>
constexpr wire_form_t<Value> to_wire(Value value) noexcept {
    if constexpr (requires { value.value(); }) {
        return value.value();
    } else {
        return static_cast<wire_form_t<Value>>(value);
    }
}

template <wire_number Value>
constexpr Value from_wire(wire_form_t<Value> number) noexcept {
    if constexpr (std::is_same_v<Value, bool>) {
        return number != 0;
    } else {
        return static_cast<Value>(number);
    }
}

}  // namespace strandline::protocol
