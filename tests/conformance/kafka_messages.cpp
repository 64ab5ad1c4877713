#include "tests/conformance/kafka_messages.hpp"

#include <cerrno>
#include <stdexcept>
#include <unistd.h>
#include <utility>

#include <boost/endian/conversion.hpp>

#include "protocol/writer.hpp"
#include "tests/live/installation.hpp"

namespace strandline::conformance {

namespace {

live::child_options helper() {
    const auto jars = live::kafka_jars(live::newest_kafka).string() + "/*:" + live::kafka_helper_classes().string();
    return {.command = {"java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", jars,
                        "ConformanceHelper"},
            .collect_output = false};
}

protocol::writer request(char operation, std::string_view message, std::int16_t version, std::size_t count) {
    protocol::writer out;
    out.int8(operation);
    out.int16(static_cast<std::int16_t>(message.size()));
    out.raw(base::as_bytes(message));
    out.int16(version);
    out.int32(static_cast<std::int32_t>(count));
    return out;
}

}  // namespace

kafka_messages::kafka_messages() : process_(helper()) {}

std::vector<protocol::api_version_range> kafka_messages::apis() {
    process_.write("v");
    read_status();
    std::vector<protocol::api_version_range> apis(static_cast<std::size_t>(read_int32()));
    for (auto& api : apis) {
        api.key = protocol::api_key{read_int16()};
        api.versions.min = read_int16();
        api.versions.max = read_int16();
        read(static_cast<std::size_t>(read_int16()));  // its name
    }
    return apis;
}

std::vector<kafka_value> kafka_messages::rewrite(std::string_view message, std::int16_t version,
                                                 const std::vector<base::shared_bytes>& values) {
    auto out = request('d', message, version, values.size());
    for (const auto& value : values) {
        out.int32(static_cast<std::int32_t>(value.size()));
        out.raw(value);
    }
    process_.write(base::as_text(std::move(out).take()));
    return read_values();
}

std::vector<kafka_value> kafka_messages::random(std::string_view message, std::int16_t version, std::size_t count,
                                                std::uint64_t seed) {
    auto out = request('r', message, version, count);
    out.int64(static_cast<std::int64_t>(seed));
    process_.write(base::as_text(std::move(out).take()));
    return read_values();
}

std::vector<kafka_value> kafka_messages::read_values() {
    read_status();
    std::vector<kafka_value> values(static_cast<std::size_t>(read_int32()));
    for (auto& value : values) {
        value.bytes = base::shared_bytes::copy_of(base::as_bytes(read(static_cast<std::size_t>(read_int32()))));
        value.json = read(static_cast<std::size_t>(read_int32()));
    }
    return values;
}

void kafka_messages::read_status() {
    if (read(1) == "+") return;
    throw std::runtime_error("Kafka's classes: " + read(static_cast<std::size_t>(read_int16())));
}

std::string kafka_messages::read(std::size_t count) {
    std::string bytes(count, '\0');
    for (std::size_t have = 0; have < count;) {
        const auto got = ::read(process_.output_descriptor(), bytes.data() + have, count - have);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw std::runtime_error("ConformanceHelper ended: " + process_.errors().text());
        have += static_cast<std::size_t>(got);
    }
    return bytes;
}

std::int32_t kafka_messages::read_int32() {
    return boost::endian::load_big_s32(reinterpret_cast<const unsigned char*>(read(4).data()));
}

std::int16_t kafka_messages::read_int16() {
    return boost::endian::load_big_s16(reinterpret_cast<const unsigned char*>(read(2).data()));
}

}  // namespace strandline::conformance
