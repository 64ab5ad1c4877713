// Kafka's own message classes: tests/java/ConformanceHelper, running beside the test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "protocol/api_versions.hpp"
#include "tests/live/child_process.hpp"

namespace strandline::conformance {

// A value as Kafka writes it.
struct kafka_value {
    base::shared_bytes bytes;
    std::string json;  // the size of records stands in place of the records
};

// Every call throws std::runtime_error if Kafka refuses a value or the helper is gone.
class kafka_messages {
public:
    kafka_messages();

    // Every API of Kafka with its oldest and its newest stable version.
    std::vector<protocol::api_version_range> apis();
    // Kafka reads each of `values` and writes it again.
    std::vector<kafka_value> rewrite(std::string_view message, std::int16_t version,
                                     const std::vector<base::shared_bytes>& values);
    // Random values that Kafka makes up from its schemas.
    std::vector<kafka_value> random(std::string_view message, std::int16_t version, std::size_t count,
                                    std::uint64_t seed);

private:
    std::vector<kafka_value> read_values();
    void read_status();
    std::string read(std::size_t count);
    std::int32_t read_int32();
    std::int16_t read_int16();

    live::child_process process_;
};

}  // namespace strandline::conformance
