// Reads a message as its describe says. Included by the messages' own sources only (message_codec.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/uuid.hpp"
#include "protocol/codec_error.hpp"
#include "protocol/field.hpp"
#include "protocol/field_path.hpp"
#include "protocol/minimum_size.hpp"
#include "protocol/reader.hpp"
#include "protocol/wire_format.hpp"
#include "protocol/wire_number.hpp"

namespace strandline::protocol {

// The part that is the same for every message.
class body_reader {
public:
    body_reader(const base::shared_bytes& body, wire_format format) noexcept
        : body_(body), format_(format), in_(body.view()) {}

    const wire_format& format() const noexcept { return format_; }
    std::size_t offset() const noexcept { return in_.offset(); }
    bool failed() const noexcept { return in_.failed(); }
    void fail(codec_fault fault) noexcept { in_.fail(fault); }
    field_path& path() noexcept { return path_; }

    template <wire_number Number>
    void read(Number& value) noexcept {
        using wire = wire_form_t<Number>;
        if constexpr (sizeof(wire) == 1) {
            value = from_wire<Number>(in_.int8());
        } else if constexpr (sizeof(wire) == 2) {
            value = from_wire<Number>(in_.int16());
        } else if constexpr (sizeof(wire) == 4) {
            value = from_wire<Number>(in_.int32());
        } else {
            value = from_wire<Number>(in_.int64());
        }
    }
    void read(base::uuid& value) noexcept;

    // The lengths that stand before strings, bytes and arrays. Nothing stands for null, and for failure.
    std::optional<std::size_t> string_length() noexcept;
    std::optional<std::size_t> bytes_length() noexcept;
    // Elements take at least `smallest_element` bytes each; a length that the remaining bytes cannot hold fails, before
    // anything is allocated for it.
    std::optional<std::size_t> array_length(std::size_t smallest_element) noexcept;
    // Whether a struct that may be null follows.
    bool presence() noexcept;

    std::string string(std::size_t length);
    base::shared_bytes bytes(std::size_t length);  // a slice of the body

    std::uint32_t tagged_field_count() noexcept;
    struct tag_header {
        std::uint32_t tag;
        std::size_t size;
    };
    tag_header next_tag() noexcept;
    std::size_t narrow(std::size_t count) noexcept { return in_.narrow(count); }
    // Back to the outer end; the inner one must have been reached.
    void widen(std::size_t outer_end) noexcept;

    codec_error error(std::string_view message) &&;
    void expect_end() noexcept;

private:
    std::optional<std::size_t> length(std::int64_t encoded, std::size_t limit) noexcept;
    std::optional<std::size_t> compact_length(std::size_t limit) noexcept;

    const base::shared_bytes& body_;
    wire_format format_;
    reader in_;
    field_path path_;
};

namespace detail {

template <described Struct>
void decode_struct(body_reader& in, Struct& object);

template <class Value>
void decode_value(body_reader& in, Value& value);

template <class Element>
void decode_elements(body_reader& in, std::vector<Element>& elements, std::size_t count) {
    elements.clear();
    elements.reserve(count);
    for (std::size_t index = 0; index < count && !in.failed(); ++index) {
        decode_value(in, elements.emplace_back());
        if (in.failed()) in.path().prepend_index(index);
    }
}

// The length of a value that is not a struct; nothing if it is null.
template <class Value>
std::optional<std::size_t> decode_length(body_reader& in) {
    if constexpr (std::same_as<Value, std::string>) {
        return in.string_length();
    } else if constexpr (std::same_as<Value, base::shared_bytes>) {
        return in.bytes_length();
    } else {
        return in.array_length(minimum_size<typename Value::value_type>(in.format()));
    }
}

template <class Value>
void decode_of_length(body_reader& in, Value& value, std::size_t length) {
    if constexpr (std::same_as<Value, std::string>) {
        value = in.string(length);
    } else if constexpr (std::same_as<Value, base::shared_bytes>) {
        value = in.bytes(length);
    } else {
        decode_elements(in, value, length);
    }
}

template <class Value>
void decode_value(body_reader& in, Value& value) {
    if constexpr (described<Value>) {
        decode_struct(in, value);
    } else if constexpr (wire_number<Value> || std::same_as<Value, base::uuid>) {
        in.read(value);
    } else {
        const auto length = decode_length<Value>(in);
        if (length) {
            decode_of_length(in, value, *length);
        } else {
            in.fail(codec_fault::unexpected_null);
        }
    }
}

template <class Value>
void decode_nullable(body_reader& in, std::optional<Value>& value) {
    if constexpr (described<Value>) {
        if (in.presence()) {
            decode_struct(in, value.emplace());
        } else {
            value.reset();
        }
    } else {
        const auto length = decode_length<Value>(in);
        if (length) {
            decode_of_length(in, value.emplace(), *length);
        } else {
            value.reset();
        }
    }
}

// This and decode_tagged are made once for each type of member and not for each field, of which there are many more.
template <class Member>
[[gnu::noinline]] void decode_member(body_reader& in, Member& member, const field_rule& rule) {
    if constexpr (is_optional<Member>) {
        if (rule.may_be_null_in(in.format().version)) {
            decode_nullable(in, member);
        } else {
            decode_value(in, member.emplace());
        }
    } else {
        decode_value(in, member);
    }
}

template <class Member>
[[gnu::noinline]] void decode_tagged(body_reader& in, Member& member, std::string_view name, const field_rule& rule) {
    Member value{};
    decode_member(in, value, rule);
    if (in.failed()) {
        in.path().prepend_field(name);
    } else {
        member = std::move(value);
    }
}

// First pass over a struct: what stands in order.
template <class Struct>
struct untagged_field_decoder {
    body_reader& in;
    Struct& object;

    template <class Member>
    void operator()(std::string_view name, Member Struct::* member, field_rule rule = always) {
        if (rule.is_tagged() || in.failed() || !rule.stands_in(in.format().version)) return;
        decode_member(in, object.*member, rule);
        if (in.failed()) in.path().prepend_field(name);
    }
};

// The field of one tag, if the struct has it.
template <class Struct>
struct tagged_field_decoder {
    body_reader& in;
    Struct& object;
    std::uint32_t tag;
    bool found = false;

    template <class Member>
    void operator()(std::string_view name, Member Struct::* member, field_rule rule = always) {
        if (!rule.is_tagged() || static_cast<std::uint32_t>(rule.tag_number) != tag) return;
        if (!rule.stands_in(in.format().version)) return;
        found = true;
        decode_tagged(in, object.*member, name, rule);
    }
};

void keep_unknown(tagged_fields& kept, tagged_field field);

template <described Struct>
void decode_tagged_fields(body_reader& in, Struct& object) {
    const auto count = in.tagged_field_count();
    for (std::uint32_t i = 0; i < count && !in.failed(); ++i) {
        const auto [tag, size] = in.next_tag();
        const auto outer_end = in.narrow(size);
        if (in.failed()) return;
        tagged_field_decoder<Struct> known{in, object, tag};
        Struct::describe(known);
        if (!known.found) keep_unknown(object.unknown_tagged_fields, {tag, in.bytes(size)});
        in.widen(outer_end);
    }
}

template <described Struct>
void decode_struct(body_reader& in, Struct& object) {
    untagged_field_decoder<Struct> fields{in, object};
    Struct::describe(fields);
    if (in.format().flexible && !in.failed()) decode_tagged_fields(in, object);
}

}  // namespace detail

template <described Message>
result<Message> decode_message(const base::shared_bytes& body, std::int16_t version) {
    body_reader in(body, wire_format::of<Message>(version));
    if (version < Message::min_version || version > Message::max_version) in.fail(codec_fault::unsupported_version);
    Message message;
    if (!in.failed()) detail::decode_struct(in, message);
    in.expect_end();
    if (in.failed()) return tl::unexpected(std::move(in).error(Message::name));
    return message;
}

}  // namespace strandline::protocol
