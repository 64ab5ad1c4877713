// Random messages: every field of the version gets a value, odd ones more often than chance would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/random_source.hpp"
#include "base/uuid.hpp"
#include "protocol/field.hpp"
#include "protocol/tagged_field.hpp"
#include "protocol/wire_format.hpp"
#include "protocol/wire_number.hpp"

namespace strandline::conformance {

namespace detail {

// Lengths around the points where an encoding changes, mostly short.
inline std::size_t random_length(base::random_source& random) {
    constexpr std::size_t one_byte_varint_ends = 126;
    switch (random.below(16)) {
        case 0: return 0;
        case 1: return one_byte_varint_ends + random.below(3);
        case 2: return 200 + random.below(200);
        default: return 1 + random.below(12);
    }
}

inline std::string random_text(base::random_source& random) {
    static constexpr std::string_view pieces[] = {"a", "Z", "0", ".", "-", "\"", "\\", "\n", "é", "Ω", "漢", "😀"};
    std::string text;
    const auto length = random_length(random);
    while (text.size() < length) text += pieces[random.below(random.below(4) == 0 ? std::size(pieces) : 5)];
    return text;
}

inline base::shared_bytes random_bytes(base::random_source& random) {
    base::buffer bytes(random_length(random));
    for (auto& byte : bytes.writable()) byte = static_cast<std::byte>(random.next());
    const auto length = bytes.capacity();
    return std::move(bytes).freeze(length);
}

template <class Number>
Number random_number(base::random_source& random) {
    using limits = std::numeric_limits<Number>;
    switch (random.below(8)) {
        case 0: return 0;
        case 1: return -1;
        case 2: return random.below(2) == 0 ? limits::min() : limits::max();
        case 3: return static_cast<Number>(random.below(100));
        default: return static_cast<Number>(random.next());
    }
}

template <class Value>
Value random_value(base::random_source& random, protocol::wire_format format);

// Made once for each type of member, not for each field.
template <class Member>
[[gnu::noinline]] void fill(Member& member, base::random_source& random, protocol::wire_format format,
                            const protocol::field_rule& rule) {
    if (!rule.stands_in(format.version)) return;
    if (rule.is_tagged() && random.below(2) == 0) return;
    if constexpr (protocol::is_optional<Member>) {
        if (rule.may_be_null_in(format.version) && random.below(3) == 0) {
            member.reset();
        } else {
            member = random_value<typename Member::value_type>(random, format);
        }
    } else {
        member = random_value<Member>(random, format);
    }
}

template <class Struct>
struct random_filling {
    base::random_source& random;
    protocol::wire_format format;
    Struct& object;

    template <class Member>
    void operator()(std::string_view, Member Struct::* member, const protocol::field_rule& rule = protocol::always) {
        fill(object.*member, random, format, rule);
    }
};

// Tags that no version of any message has a name for.
inline protocol::tagged_fields random_unknown_fields(base::random_source& random) {
    protocol::tagged_fields fields;
    std::uint32_t tag = 1000;
    while (random.below(4) == 0) {
        tag += 1 + static_cast<std::uint32_t>(random.below(100'000));
        fields.push_back({tag, random_bytes(random)});
    }
    return fields;
}

template <class Value>
Value random_value(base::random_source& random, protocol::wire_format format) {
    if constexpr (protocol::described<Value>) {
        Value object;
        random_filling<Value> filling{random, format, object};
        Value::describe(filling);
        if (format.flexible && random.below(8) == 0) object.unknown_tagged_fields = random_unknown_fields(random);
        return object;
    } else if constexpr (protocol::is_vector<Value>) {
        Value elements;
        for (auto count = random.below(4); count > 0; --count) {
            elements.push_back(random_value<typename Value::value_type>(random, format));
        }
        return elements;
    } else if constexpr (std::same_as<Value, bool>) {
        return random.below(2) == 0;
    } else if constexpr (protocol::wire_number<Value>) {
        return protocol::from_wire<Value>(random_number<protocol::wire_form_t<Value>>(random));
    } else if constexpr (std::same_as<Value, base::uuid>) {
        return random.below(8) == 0 ? base::uuid{} : base::uuid::random(random);
    } else if constexpr (std::same_as<Value, base::shared_bytes>) {
        return random_bytes(random);
    } else {
        return random_text(random);
    }
}

}  // namespace detail

template <class Message>
Message random_message(base::random_source& random, std::int16_t version) {
    return detail::random_value<Message>(random, protocol::wire_format::of<Message>(version));
}

}  // namespace strandline::conformance
