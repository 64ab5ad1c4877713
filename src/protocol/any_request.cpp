#include "protocol/any_request.hpp"

#include <string>
#include <utility>

#include "protocol/header.hpp"

namespace strandline::protocol {

namespace {
// Length, key, version, correlation id, length of the client id, number of tagged fields.
constexpr std::size_t most_before_body = 4 + 2 + 2 + 4 + 2 + 1;
}  // namespace

result<base::shared_bytes> encode_request_frame(const any_request& request, std::int16_t version, correlation_id id,
                                                std::string_view client_id) {
    const request_header header{
        .api_key = request.key(), .api_version = version, .correlation_id = id, .client_id = std::string(client_id)};
    writer out(most_before_body + client_id.size() + request.measure(version));
    out.int32(0);
    if (auto written = encode(out, header); !written) return tl::unexpected(std::move(written).error());
    if (auto written = request.encode(out, version); !written) return tl::unexpected(std::move(written).error());
    out.patch_int32(0, static_cast<std::int32_t>(out.size() - sizeof(std::int32_t)));
    return std::move(out).take();
}

}  // namespace strandline::protocol
