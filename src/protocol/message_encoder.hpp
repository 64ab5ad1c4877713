// Writes a message as its describe says, to a writer or to a byte_counter. Included by the messages' own sources only
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
#include "protocol/byte_counter.hpp"
#include "protocol/codec_error.hpp"
#include "protocol/field.hpp"
#include "protocol/field_path.hpp"
#include "protocol/wire_format.hpp"
#include "protocol/wire_number.hpp"
#include "protocol/writer.hpp"

namespace strandline::protocol {

// The part that is the same for every message. Failure is sticky; what is written after it means nothing.
template <class Sink>
class body_writer {
public:
    body_writer(Sink& out, wire_format format) noexcept : out_(out), format_(format), start_(out.size()) {}

    const wire_format& format() const noexcept { return format_; }
    bool failed() const noexcept { return fault_.has_value(); }
    void fail(codec_fault fault) noexcept {
        if (!fault_) fault_ = fault;
    }
    field_path& path() noexcept { return path_; }
    codec_error error(std::string_view message) && {
        return {.kind = *fault_,
                .message = message,
                .field = std::move(path_).take(),
                .offset = out_.size() - start_,
                .version = format_.version};
    }

    template <wire_number Number>
    void write(Number value) {
        const auto number = to_wire(value);
        if constexpr (sizeof number == 1) {
            out_.int8(number);
        } else if constexpr (sizeof number == 2) {
            out_.int16(number);
        } else if constexpr (sizeof number == 4) {
            out_.int32(number);
        } else {
            out_.int64(number);
        }
    }
    void write(const base::uuid& value);
    void write(const std::string& value);
    void write(const base::shared_bytes& value);

    void array_length(std::size_t count);
    // Null in the place of a string, bytes or an array.
    void null_string();
    void null_bytes_or_array();
    void unsigned_varint(std::size_t value) { out_.unsigned_varint(static_cast<std::uint32_t>(value)); }
    void raw(base::bytes_view bytes) { out_.raw(bytes); }

private:
    bool fits(std::size_t length, std::size_t limit) noexcept;

    Sink& out_;
    wire_format format_;
    std::size_t start_;
    std::optional<codec_fault> fault_;
    field_path path_;
};

extern template class body_writer<writer>;
extern template class body_writer<byte_counter>;

namespace detail {

template <class Sink, described Struct>
void encode_struct(body_writer<Sink>& out, const Struct& object);

template <class Sink, class Value>
void encode_value(body_writer<Sink>& out, const Value& value) {
    if constexpr (described<Value>) {
        encode_struct(out, value);
    } else if constexpr (is_vector<Value>) {
        out.array_length(value.size());
        for (std::size_t index = 0; index < value.size() && !out.failed(); ++index) {
            encode_value<Sink, typename Value::value_type>(out, value[index]);
            if (out.failed()) out.path().prepend_index(index);
        }
    } else {
        out.write(value);
    }
}

template <class Sink, class Value>
void encode_nullable(body_writer<Sink>& out, const std::optional<Value>& value) {
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

template <class Sink, class Member>
void encode_member(body_writer<Sink>& out, const Member& member, const field_rule& rule) {
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
template <class Sink>
struct untagged_member_encoder {
    body_writer<Sink>& out;
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

template <class Sink, class Struct>
struct untagged_field_encoder {
    const Struct& object;
    untagged_member_encoder<Sink> members;

    template <class Member>
    void operator()(std::string_view name, Member Struct::* member, const field_rule& rule = always) {
        members.encode(name, object.*member, defaults_of<Struct>().*member, rule);
    }
};

// Second pass: the tagged fields in the order of their tags, those without a name between them.
template <class Sink>
struct tagged_member_encoder {
    body_writer<Sink>& out;
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
        byte_counter counted;
        body_writer<byte_counter> measuring(counted, out.format());
        encode_member(measuring, member, rule);
        out.unsigned_varint(tag);
        out.unsigned_varint(counted.size());
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

template <class Sink, class Struct>
struct tagged_field_encoder {
    const Struct& object;
    tagged_member_encoder<Sink> members;

    template <class Member>
    void operator()(std::string_view name, Member Struct::* member, const field_rule& rule = always) {
        if (rule.is_tagged()) members.encode(name, object.*member, defaults_of<Struct>().*member, rule);
    }
};

template <class Sink, described Struct>
void encode_struct(body_writer<Sink>& out, const Struct& object) {
    untagged_field_encoder<Sink, Struct> fields{object, {out}};
    Struct::describe(fields);
    if (!out.format().flexible || out.failed()) return;
    const auto& unknown = object.unknown_tagged_fields;
    const auto known_tags = fields.members.known_tags;
    out.unsigned_varint(known_tags + unknown.size());
    if (known_tags == 0 && unknown.empty()) return;
    tagged_field_encoder<Sink, Struct> tagged{object, {out, unknown}};
    Struct::describe(tagged);
    tagged.members.write_unknown_below(std::uint64_t{1} << 32U);
}

}  // namespace detail

template <class Sink, described Message>
result<void> encode_message(Sink& sink, const Message& message, std::int16_t version) {
    body_writer<Sink> out(sink, wire_format::of<Message>(version));
    if (version < Message::min_version || version > Message::max_version) {
        out.fail(codec_fault::unsupported_version);
    } else {
        detail::encode_struct(out, message);
    }
    if (out.failed()) return tl::unexpected(std::move(out).error(Message::name));
    return {};
}

}  // namespace strandline::protocol
