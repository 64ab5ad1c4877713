// Takes out of a message what one of its versions has no room for, as brokers do: they keep one answer for all clients
// and tell old ones less.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "protocol/field.hpp"
#include "protocol/wire_format.hpp"

namespace strandline::testkit::fake {

template <protocol::described Struct>
void cut_to_version(Struct& object, std::int16_t version);

namespace detail {

template <class Value>
void cut_value(Value& value, std::int16_t version) {
    if constexpr (protocol::described<Value>) {
        cut_to_version(value, version);
    } else if constexpr (protocol::is_optional<Value>) {
        if (value) cut_value(*value, version);
    } else if constexpr (protocol::is_vector<Value>) {
        for (auto& element : value) cut_value(element, version);
    }
}

template <class Struct>
struct cutting {
    Struct& object;
    std::int16_t version;

    template <class Member>
    void operator()(std::string_view, Member Struct::* member, protocol::field_rule rule = protocol::always) {
        auto& field = object.*member;
        if (!rule.stands_in(version)) {
            field = protocol::defaults_of<Struct>().*member;
            return;
        }
        if constexpr (protocol::is_optional<Member>) {
            if (!field && !rule.may_be_null_in(version)) field.emplace();
        }
        cut_value(field, version);
    }
};

}  // namespace detail

template <protocol::described Struct>
void cut_to_version(Struct& object, std::int16_t version) {
    detail::cutting<Struct> fields{object, version};
    Struct::describe(fields);
}

}  // namespace strandline::testkit::fake
