// Which errors an answer of any API carries, wherever in it they stand.
#pragma once

#include <set>
#include <string_view>

#include "protocol/broker_error.hpp"
#include "protocol/field.hpp"
#include "protocol/wire_format.hpp"

namespace strandline::testkit::fake {

using error_set = std::set<protocol::broker_error>;

template <protocol::described Struct>
void note_errors(const Struct& object, error_set& found);

namespace detail {

template <class Value>
void note_errors_of(const Value& value, error_set& found) {
    if constexpr (std::same_as<Value, protocol::broker_error>) {
        if (value != protocol::broker_error::none) found.insert(value);
    } else if constexpr (protocol::described<Value>) {
        note_errors(value, found);
    } else if constexpr (protocol::is_optional<Value>) {
        if (value) note_errors_of(*value, found);
    } else if constexpr (protocol::is_vector<Value>) {
        for (const auto& element : value) note_errors_of(element, found);
    }
}

template <class Struct>
struct noting_errors {
    const Struct& object;
    error_set& found;

    template <class Member>
    void operator()(std::string_view, Member Struct::* member, protocol::field_rule = protocol::always) {
        note_errors_of(object.*member, found);
    }
};

}  // namespace detail

template <protocol::described Struct>
void note_errors(const Struct& object, error_set& found) {
    detail::noting_errors<Struct> fields{object, found};
    Struct::describe(fields);
}

}  // namespace strandline::testkit::fake
