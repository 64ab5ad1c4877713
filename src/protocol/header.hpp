// What stands before the body in a frame: who asks what, and which answer belongs to which question.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "protocol/api_key.hpp"
#include "protocol/codec_error.hpp"
#include "protocol/ids.hpp"
#include "protocol/tagged_field.hpp"
#include "protocol/writer.hpp"

namespace strandline::protocol {

struct request_header {
    protocol::api_key api_key{};
    std::int16_t api_version{};
    protocol::correlation_id correlation_id{};
    std::optional<std::string> client_id{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const request_header&) const = default;
};

struct response_header {
    protocol::correlation_id correlation_id{};
    tagged_fields unknown_tagged_fields{};

    bool operator==(const response_header&) const = default;
};

// Header versions, by the flexibility of the body: requests 1 or 2, responses 0 or 1. The answer to ApiVersions always
// has version 0: the client must read it before it knows what the broker speaks (KIP-511).
std::int16_t request_header_version(api_key key, std::int16_t api_version) noexcept;
std::int16_t response_header_version(api_key key, std::int16_t api_version) noexcept;

// A header and the body behind it.
template <class Header>
struct headed {
    Header header;
    base::shared_bytes body;
};

// `frame` is the frame's content, without its length. An API that this library does not know is an error
// (unsupported_version): nobody can tell which header version it has.
result<headed<request_header>> split_request(const base::shared_bytes& frame);
result<headed<response_header>> split_response(const base::shared_bytes& frame, api_key key, std::int16_t api_version);
// The correlation id alone, which finds the request whose key and version split_response needs.
result<correlation_id> peek_correlation_id(const base::shared_bytes& frame);

result<void> encode(writer& out, const request_header& header);
void encode(writer& out, const response_header& header, api_key key, std::int16_t api_version);

}  // namespace strandline::protocol
