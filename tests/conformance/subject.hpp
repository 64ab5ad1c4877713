// A message type under test, without its type: what the conformance test does is the same for all.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/bytes.hpp"
#include "base/random_source.hpp"
#include "protocol/api_key.hpp"
#include "protocol/codec.hpp"
#include "protocol/codec_error.hpp"

namespace strandline::conformance {

struct subject {
    std::string_view name;
    protocol::api_key key{};
    std::int16_t min_version{};
    std::int16_t max_version{};

    // A random message, encoded.
    std::function<protocol::result<base::shared_bytes>(base::random_source&, std::int16_t version)> random;
    // Whether the bytes can be decoded; the error if they cannot.
    std::function<std::optional<protocol::codec_error>(const base::shared_bytes&, std::int16_t version)> refusal;
    // Decoded and encoded again; fails too if `measure` had not foreseen the size.
    std::function<protocol::result<base::shared_bytes>(const base::shared_bytes&, std::int16_t version)> rewrite;
    // Decoded and told as JSON; JSON read and told again.
    std::function<protocol::result<boost::json::value>(const base::shared_bytes&, std::int16_t version)> json;
    std::function<protocol::result<boost::json::value>(const boost::json::value&, std::int16_t version)> reread_json;
};

// What differs between the message's JSON and Kafka's of the same value; also whether we read our own as it was
// written.
std::optional<std::string> json_difference(const subject& message, const base::shared_bytes& bytes,
                                           std::int16_t version, std::string_view kafka_json);

// Requests and responses of every API we speak.
const std::vector<subject>& all_subjects();

}  // namespace strandline::conformance
