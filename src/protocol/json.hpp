// Messages as JSON, in the layout of Kafka's own converters: names begin with a small letter, bytes are base64, a field
// that the version does not have is absent, a tagged field is absent when it has its default. Records are bytes (Kafka
// writes their size only). Unknown tagged fields are not shown.
// For tests and tools: it is instantiated where it is used, and whoever links it brings Boost.JSON's definitions.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "base/bytes.hpp"
#include "base/uuid.hpp"
#include "protocol/base64.hpp"
#include "protocol/codec_error.hpp"
#include "protocol/field.hpp"
#include "protocol/field_path.hpp"
#include "protocol/wire_format.hpp"
#include "protocol/wire_number.hpp"

namespace strandline::protocol {

namespace detail {

inline std::string json_name(std::string_view field_name) {
    std::string name(field_name);
    if (name.front() >= 'A' && name.front() <= 'Z') name.front() = static_cast<char>(name.front() - 'A' + 'a');
    return name;
}

struct json_fault {
    std::optional<codec_fault> kind;
    field_path path;

    bool failed() const noexcept { return kind.has_value(); }
    void fail(codec_fault fault) noexcept {
        if (!kind) kind = fault;
    }
    codec_error error(std::string_view message, std::int16_t version) && {
        return {.kind = *kind, .message = message, .field = std::move(path).take(), .offset = 0, .version = version};
    }
};

template <described Struct>
boost::json::object struct_to_json(const Struct& object, std::int16_t version, json_fault& fault);

template <class Value>
boost::json::value value_to_json(const Value& value, std::int16_t version, json_fault& fault) {
    if constexpr (described<Value>) {
        return struct_to_json(value, version, fault);
    } else if constexpr (is_optional<Value>) {
        return value ? value_to_json(*value, version, fault) : boost::json::value(nullptr);
    } else if constexpr (is_vector<Value>) {
        boost::json::array elements;
        for (const auto& element : value) elements.push_back(value_to_json(element, version, fault));
        return elements;
    } else if constexpr (std::same_as<Value, bool>) {
        return value;
    } else if constexpr (wire_number<Value>) {
        return std::int64_t{to_wire(value)};
    } else if constexpr (std::same_as<Value, base::uuid>) {
        return boost::json::value(value.to_string());
    } else if constexpr (std::same_as<Value, base::shared_bytes>) {
        return boost::json::value(to_base64(value));
    } else {
        return boost::json::value(std::string_view(value));
    }
}

// What depends on the member's type only, and not on the struct it stands in, is made once a type: there are ten times
// as many fields.
struct json_member_writing {
    std::int16_t version;
    json_fault& fault;
    boost::json::object json = {};

    template <class Member>
    [[gnu::noinline]] void write(std::string_view name, const Member& value, const Member& otherwise,
                                 const field_rule& rule) {
        if (fault.failed()) return;
        const bool is_default = value == otherwise;
        if (!rule.stands_in(version)) {
            if (!is_default && !rule.is_ignorable) fault.fail(codec_fault::not_in_version);
        } else if (!rule.is_tagged() || !is_default) {
            json[json_name(name)] = value_to_json(value, version, fault);
        }
        if (fault.failed()) fault.path.prepend_field(name);
    }
};

template <class Struct>
struct json_writing {
    const Struct& object;
    json_member_writing members;

    template <class Member>
    void operator()(std::string_view name, Member Struct::* member, const field_rule& rule = always) {
        members.write(name, object.*member, defaults_of<Struct>().*member, rule);
    }
};

template <described Struct>
boost::json::object struct_to_json(const Struct& object, std::int16_t version, json_fault& fault) {
    json_writing<Struct> fields{object, {version, fault}};
    Struct::describe(fields);
    return std::move(fields.members.json);
}

template <described Struct>
void struct_from_json(const boost::json::value& json, Struct& object, std::int16_t version, json_fault& fault);

template <wire_number Number>
void number_from_json(const boost::json::value& json, Number& number, json_fault& fault) {
    using wire = wire_form_t<Number>;
    if constexpr (std::same_as<Number, bool>) {
        if (!json.is_bool()) return fault.fail(codec_fault::bad_json);
        number = json.get_bool();
    } else {
        const auto* const value = json.if_int64();
        if (!value || *value < std::numeric_limits<wire>::min() || *value > std::numeric_limits<wire>::max()) {
            return fault.fail(codec_fault::bad_json);
        }
        number = from_wire<Number>(static_cast<wire>(*value));
    }
}

inline void text_from_json(std::string_view text, std::string& value, json_fault&) { value = text; }

inline void text_from_json(std::string_view text, base::uuid& value, json_fault& fault) {
    const auto parsed = base::uuid::parse(text);
    if (!parsed) return fault.fail(codec_fault::bad_json);
    value = *parsed;
}

inline void text_from_json(std::string_view text, base::shared_bytes& value, json_fault& fault) {
    const auto bytes = from_base64(text);
    if (!bytes) return fault.fail(codec_fault::bad_json);
    value = base::shared_bytes::copy_of(*bytes);
}

template <class Value>
void value_from_json(const boost::json::value& json, Value& value, std::int16_t version, json_fault& fault) {
    if constexpr (described<Value>) {
        struct_from_json(json, value, version, fault);
    } else if constexpr (is_vector<Value>) {
        value.clear();
        if (!json.is_array()) return fault.fail(codec_fault::bad_json);
        for (const auto& element : json.get_array()) {
            value_from_json(element, value.emplace_back(), version, fault);
            if (fault.failed()) return fault.path.prepend_index(value.size() - 1);
        }
    } else if constexpr (wire_number<Value>) {
        number_from_json(json, value, fault);
    } else {
        if (!json.is_string()) return fault.fail(codec_fault::bad_json);
        text_from_json(json.get_string(), value, fault);
    }
}

struct json_member_reading {
    const boost::json::object& json;
    std::int16_t version;
    json_fault& fault;

    template <class Member>
    [[gnu::noinline]] void read(std::string_view name, Member& member, const field_rule& rule) {
        if (fault.failed() || !rule.stands_in(version)) return;
        const auto* const value = json.if_contains(json_name(name));
        if (value) {
            read_value(*value, member, rule);
        } else if (!rule.is_tagged()) {
            fault.fail(codec_fault::bad_json);
        }
        if (fault.failed()) fault.path.prepend_field(name);
    }

    template <class Member>
    void read_value(const boost::json::value& value, Member& member, const field_rule& rule) {
        if constexpr (!is_optional<Member>) {
            value_from_json(value, member, version, fault);
        } else if (!value.is_null()) {
            value_from_json(value, member.emplace(), version, fault);
        } else if (rule.may_be_null_in(version)) {
            member.reset();
        } else {
            fault.fail(codec_fault::unexpected_null);
        }
    }
};

template <class Struct>
struct json_reading {
    Struct& object;
    json_member_reading members;

    template <class Member>
    void operator()(std::string_view name, Member Struct::* member, const field_rule& rule = always) {
        members.read(name, object.*member, rule);
    }
};

template <described Struct>
void struct_from_json(const boost::json::value& json, Struct& object, std::int16_t version, json_fault& fault) {
    if (!json.is_object()) return fault.fail(codec_fault::bad_json);
    json_reading<Struct> fields{object, {json.get_object(), version, fault}};
    Struct::describe(fields);
}

}  // namespace detail

// A value that the version cannot carry is an error, as it is for `encode`.
template <described Message>
result<boost::json::object> to_json(const Message& message, std::int16_t version) {
    detail::json_fault fault;
    auto json = detail::struct_to_json(message, version, fault);
    if (fault.failed()) return tl::unexpected(std::move(fault).error(Message::name, version));
    return json;
}

// Every untagged field of the version must be there; members without a meaning are passed over.
template <described Message>
result<Message> from_json(const boost::json::value& json, std::int16_t version) {
    detail::json_fault fault;
    Message message;
    detail::struct_from_json(json, message, version, fault);
    if (fault.failed()) return tl::unexpected(std::move(fault).error(Message::name, version));
    return message;
}

}  // namespace strandline::protocol
