// The errors that brokers may answer each API with, as far as a consumer of Kafka 4 meets them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/api_key.hpp"
#include "protocol/broker_error.hpp"

namespace strandline::testkit::sim {

struct answer_error {
    protocol::api_key api;
    protocol::broker_error error;
    // The group, or the cluster, refuses for good: the consumer is over, and its application makes a new one.
    bool ends_the_consumer = false;
};

// All of them, by API. Not among them: errors that would be a lie about the log (OFFSET_OUT_OF_RANGE, CORRUPT_MESSAGE):
// who is lied to loses records, and rightly so.
std::span<const answer_error> answer_errors() noexcept;
// Others, which only the profile of answers gives: the rest draw from the ones above, and go on drawing what they drew.
std::span<const answer_error> seldom_errors() noexcept;
// What the fake cluster answers a consumer by itself beside those: what is true of its logs and groups.
std::span<const answer_error> own_errors() noexcept;

}  // namespace strandline::testkit::sim
