#include "protocol/header.hpp"

#include <utility>

#include "protocol/api_versions.hpp"
#include "protocol/limits.hpp"
#include "protocol/message_decoder.hpp"
#include "protocol/message_encoder.hpp"

namespace strandline::protocol {

namespace {

constexpr std::string_view request_header_name = "RequestHeader";
constexpr std::string_view response_header_name = "ResponseHeader";

bool is_flexible(api_key key, std::int16_t api_version) noexcept {
    const auto first = first_flexible_version(key);
    return first && api_version >= *first;
}

// A header's fields stand in the same form in all its versions; only tagged fields come with the flexible ones.
constexpr wire_format fields_of_version(std::int16_t header_version) noexcept {
    return {.version = header_version, .flexible = false};
}

void read_tagged_fields(body_reader& in, tagged_fields& kept) {
    const auto count = in.tagged_field_count();
    for (std::uint32_t i = 0; i < count && !in.failed(); ++i) {
        const auto [tag, size] = in.next_tag();
        auto data = in.bytes(size);
        if (!in.failed()) detail::keep_unknown(kept, {tag, std::move(data)});
    }
}

void write_tagged_fields(writer& out, const tagged_fields& fields) {
    out.unsigned_varint(static_cast<std::uint32_t>(fields.size()));
    for (const auto& field : fields) {
        out.unsigned_varint(field.tag);
        out.unsigned_varint(static_cast<std::uint32_t>(field.data.size()));
        out.raw(field.data);
    }
}

template <class Header>
result<headed<Header>> finish(body_reader& in, Header header, const base::shared_bytes& frame, std::string_view name) {
    if (in.failed()) return tl::unexpected(std::move(in).error(name));
    return headed<Header>{std::move(header), frame.slice(in.offset())};
}

}  // namespace

std::int16_t request_header_version(api_key key, std::int16_t api_version) noexcept {
    return is_flexible(key, api_version) ? 2 : 1;
}

std::int16_t response_header_version(api_key key, std::int16_t api_version) noexcept {
    if (key == api_key::api_versions) return 0;
    return is_flexible(key, api_version) ? 1 : 0;
}

result<headed<request_header>> split_request(const base::shared_bytes& frame) {
    body_reader in(frame, fields_of_version(1));
    request_header header;
    in.read(header.api_key);
    in.read(header.api_version);
    in.read(header.correlation_id);
    if (!in.failed() && !first_flexible_version(header.api_key)) in.fail(codec_fault::unsupported_version);
    if (const auto length = in.string_length()) header.client_id = in.string(*length);
    if (request_header_version(header.api_key, header.api_version) == 2) {
        read_tagged_fields(in, header.unknown_tagged_fields);
    }
    return finish(in, std::move(header), frame, request_header_name);
}

result<headed<response_header>> split_response(const base::shared_bytes& frame, api_key key, std::int16_t api_version) {
    const auto header_version = response_header_version(key, api_version);
    body_reader in(frame, fields_of_version(header_version));
    response_header header;
    in.read(header.correlation_id);
    if (header_version == 1) read_tagged_fields(in, header.unknown_tagged_fields);
    return finish(in, std::move(header), frame, response_header_name);
}

result<correlation_id> peek_correlation_id(const base::shared_bytes& frame) {
    body_reader in(frame, fields_of_version(0));
    correlation_id id;
    in.read(id);
    if (in.failed()) return tl::unexpected(std::move(in).error(response_header_name));
    return id;
}

result<void> encode(writer& out, const request_header& header) {
    const auto header_version = request_header_version(header.api_key, header.api_version);
    body_writer fields(out, fields_of_version(header_version));
    fields.write(header.api_key);
    fields.write(header.api_version);
    fields.write(header.correlation_id);
    if (header.client_id) {
        fields.write(*header.client_id);
    } else {
        fields.null_string();
    }
    if (fields.failed()) {
        fields.path().prepend_field("ClientId");
        return tl::unexpected(std::move(fields).error(request_header_name));
    }
    if (header_version == 2) write_tagged_fields(out, header.unknown_tagged_fields);
    return {};
}

void encode(writer& out, const response_header& header, api_key key, std::int16_t api_version) {
    out.int32(header.correlation_id.value());
    if (response_header_version(key, api_version) == 1) write_tagged_fields(out, header.unknown_tagged_fields);
}

}  // namespace strandline::protocol
