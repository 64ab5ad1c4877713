// Writes a message as its describe says, or counts what it would take. Included by the messages' own sources only
// (message_codec.hpp).
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
#include "protocol/wire_format.hpp"
#include "protocol/wire_number.hpp"
#include "protocol/writer.hpp"

namespace strandline::protocol {

// The part that is the same for every message. Failure is sticky; what is written after it means nothing.
class body_writer {
public:
    body_writer(writer& out, wire_format format) noexcept : out_(&out), format_(format) {}
    // Only counts: with a type of its own for that, every message would be compiled twice.
    explicit body_writer(wire_format format) noexcept : format_(format) {}

    const wire_format& format() const noexcept { return format_; }
    std::size_t size() const noexcept { return size_; }
    bool failed() const noexcept { return fault_.has_value(); }
    void fail(codec_fault fault) noexcept {
        if (!fault_) fault_ = fault;
    }
    field_path& path() noexcept { return path_; }
    codec_error error(std::string_view message) && {
        return {.kind = *fault_,
                .message = message,
                .field = std::move(path_).take(),
                .offset = size_,
                .version = format_.version};
    }

    template <wire_number Number>
    void write(Number value) {
        put(to_wire(value));
    }
    void write(const base::uuid& value);
    void write(const std::string& value);
    void write(const base::shared_bytes& value);

    void array_length(std::size_t count);
    // Null in the place of a string, bytes or an array.
    void null_string();
    void null_bytes_or_array();
    void unsigned_varint(std::size_t value);
    void raw(base::bytes_view bytes);

private:
    void put(std::int8_t value);
    void put(std::int16_t value);
    void put(std::int32_t value);
    void put(std::int64_t value);
    bool fits(std::size_t length, std::size_t limit) noexcept;

    writer* out_ = nullptr;
    wire_format format_;
    std::size_t size_ = 0;
    std::optional<codec_fault> fault_;
    field_path path_;
};

namespace detail {

template <described Struct>
void encode_struct(body_writer& out, const Struct& object);

template <class Value>
void encode_value(body_writer& out, const Value& value) {
    if constexpr (described<Value>) {
        encode_struct(out, value);
    } else if constexpr (is_vector<Value>) {
        out.array_length(value.size());
        for (std::size_t index = 0; index < value.size() && !out.failed(); ++index) {
            encode_value<typename Value::value_type>(out, value[index]);
            if (out.failed()) out.path().prepend_index(index);
        }
    } else {
        out.write(value);
    }
}

template <class Value>
void encode_nullable(body_writer& out, const std::optional<Value>& value) {
    if constexpr (described<Value>) {
        out.write(static_cast<std::int8_t>(value ? 1 : -1));
        if (value) encode_struct(out, *value);
    } else if (value) {
        encode_value(out, *value);
    } else if constexpr (std::same_as<Value, std::string>) {
        out.null_string();
    } else {
        out.null_bytes_or_array();
    }
}

template <class Member>
void encode_member(body_writer& out, const Member& member, const field_rule& rule) {
    if constexpr (is_optional<Member>) {
        if (rule.may_be_null_in(out.format().version)) {
            encode_nullable(out, member);
        } else if (member) {
            encode_value(out, *member);
        } else {
            out.fail(codec_fault::unexpected_null);
        }
    } else {
        encode_value(out, member);
    }
}

// First pass over a struct: what stands in order, and whether anything is set that has no place. The passes over
// members are made once for each type of member and not for each field, of which there are many more.
struct untagged_member_encoder {
    body_writer& out;
    std::size_t known_tags = 0;

    template <class Member>
    [[gnu::noinline]] void encode(std::string_view name, const Member& member, const Member& otherwise,
                                  const field_rule& rule) {
        if (out.failed()) return;
        if (!rule.stands_in(out.format().version)) {
            if (!rule.is_ignorable && member != otherwise) out.fail(codec_fault::not_in_version);
        } else if (rule.is_tagged()) {
            if (member != otherwise) ++known_tags;
        } else {
            encode_member(out, member, rule);
        }
        if (out.failed()) out.path().prepend_field(name);
    }
};

template <class Struct>
struct untagged_field_encoder {
    const Struct& object;
    untagged_member_encoder members;

    template <class Member>
    void operator()(std::string_view name, Member Struct::* member, const field_rule& rule = always) {
        members.encode(name, object.*member, defaults_of<Struct>().*member, rule);
    }
};

// Second pass: the tagged fields in the order of their tags, those without a name between them.
struct tagged_member_encoder {
    body_writer& out;
    const tagged_fields& unknown;
    std::size_t next_unknown = 0;
    std::uint32_t free_tag = 0;  // tags below are taken or passed

    template <class Member>
    [[gnu::noinline]] void encode(std::string_view name, const Member& member, const Member& otherwise,
                                  const field_rule& rule) {
        if (out.failed() || !rule.stands_in(out.format().version)) return;
        const auto tag = static_cast<std::uint32_t>(rule.tag_number);
        write_unknown_below(tag);
        free_tag = tag + 1;
        if (member == otherwise) return;
        body_writer measured(out.format());
        encode_member(measured, member, rule);
        out.unsigned_varint(tag);
        out.unsigned_varint(measured.size());
        encode_member(out, member, rule);
        if (out.failed()) out.path().prepend_field(name);
    }

    [[gnu::noinline]] void write_unknown_below(std::uint64_t end) {
        for (; next_unknown < unknown.size() && unknown[next_unknown].tag < end; ++next_unknown) {
            const auto& field = unknown[next_unknown];
            if (field.tag < free_tag) out.fail(codec_fault::bad_tagged_field);
            free_tag = field.tag;
            out.unsigned_varint(field.tag);
            out.unsigned_varint(field.data.size());
            out.raw(field.data);
        }
    }
};

template <class Struct>
struct tagged_field_encoder {
    const Struct& object;
    tagged_member_encoder members;

    template <class Member>
    void operator()(std::string_view name, Member Struct::* member, const field_rule& rule = always) {
        if (rule.is_tagged()) members.encode(name, object.*member, defaults_of<Struct>().*member, rule);
    }
};

template <described Struct>
void encode_struct(body_writer& out, const Struct& object) {
    untagged_field_encoder<Struct> fields{object, {out}};
    Struct::describe(fields);
    if (!out.format().flexible || out.failed()) return;
    const auto& unknown = object.unknown_tagged_fields;
    const auto known_tags = fields.members.known_tags;
    out.unsigned_varint(known_tags + unknown.size());
    if (known_tags == 0 && unknown.empty()) return;
    tagged_field_encoder<Struct> tagged{object, {out, unknown}};
    Struct::describe(tagged);
    tagged.members.write_unknown_below(std::uint64_t{1} << 32U);
}

}  // namespace detail

template <described Message>
void encode_message(body_writer& out, const Message& message) {
    const auto version = out.format().version;
    if (version < Message::min_version || version > Message::max_version) {
        out.fail(codec_fault::unsupported_version);
    } else {
        detail::encode_struct(out, message);
    }
}

}  // namespace strandline::protocol
