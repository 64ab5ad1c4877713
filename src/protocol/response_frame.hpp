// A broker's side of the wire: the complete frame of an answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/bytes.hpp"
#include "protocol/codec.hpp"
#include "protocol/header.hpp"
#include "protocol/ids.hpp"
#include "protocol/writer.hpp"

namespace strandline::protocol {

// Length, header and body, in one allocation.
template <class Response>
result<base::shared_bytes> encode_response_frame(const Response& response, std::int16_t version, correlation_id id) {
    // Length, correlation id, number of tagged fields.
    constexpr std::size_t most_before_body = 4 + 4 + 1;
    writer out(most_before_body + measure(response, version));
    out.int32(0);
    encode(out, response_header{.correlation_id = id}, Response::key, version);
    if (auto written = encode(out, response, version); !written) return tl::unexpected(std::move(written).error());
    out.patch_int32(0, static_cast<std::int32_t>(out.size() - sizeof(std::int32_t)));
    return std::move(out).take();
}

}  // namespace strandline::protocol
