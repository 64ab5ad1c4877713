#include "testkit/fake_cluster/config_catalogue.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace strandline::testkit::fake {

namespace {

using kind = config_kind;
using namespace std::string_view_literals;

constexpr std::array topic_configs{
    known_config{"cleanup.policy", kind::list, "delete", "compact, delete"},
    known_config{"compression.type", kind::text, "producer", "uncompressed, zstd, lz4, snappy, gzip, producer"},
    known_config{"delete.retention.ms", kind::int64, "86400000", {}, 0},
    known_config{"file.delete.delay.ms", kind::int64, "60000", {}, 0},
    known_config{"flush.messages", kind::int64, "9223372036854775807", {}, 1},
    known_config{"flush.ms", kind::int64, "9223372036854775807", {}, 0},
    known_config{"index.interval.bytes", kind::int32, "4096", {}, 0},
    known_config{"max.compaction.lag.ms", kind::int64, "9223372036854775807", {}, 1},
    known_config{"max.message.bytes", kind::int32, "1048588", {}, 0},
    known_config{"message.timestamp.after.max.ms", kind::int64, "3600000", {}, 0},
    known_config{"message.timestamp.before.max.ms", kind::int64, "9223372036854775807", {}, 0},
    known_config{"message.timestamp.type", kind::text, "CreateTime", "CreateTime, LogAppendTime"},
    known_config{"min.cleanable.dirty.ratio", kind::real, "0.5"},
    known_config{"min.compaction.lag.ms", kind::int64, "0", {}, 0},
    known_config{"min.insync.replicas", kind::int32, "1", {}, 1},
    known_config{"preallocate", kind::boolean, "false"},
    known_config{"retention.bytes", kind::int64, "-1"},
    known_config{"retention.ms", kind::int64, "604800000", {}, -1},
    known_config{"segment.bytes", kind::int32, "1073741824", {}, 1048576},
    known_config{"segment.index.bytes", kind::int32, "10485760", {}, 4},
    known_config{"segment.jitter.ms", kind::int64, "0", {}, 0},
    known_config{"segment.ms", kind::int64, "604800000", {}, 1},
    known_config{"unclean.leader.election.enable", kind::boolean, "false"},
};

constexpr std::array broker_configs{
    known_config{"auto.create.topics.enable", kind::boolean, "true"},
    known_config{"compression.type", kind::text, "producer", "uncompressed, zstd, lz4, snappy, gzip, producer"},
    known_config{"default.replication.factor", kind::int32, "1"},
    known_config{"delete.topic.enable", kind::boolean, "true"},
    known_config{"group.consumer.assignors", kind::list, "uniform,range"},
    known_config{"group.consumer.heartbeat.interval.ms", kind::int32, "5000"},
    known_config{"group.consumer.session.timeout.ms", kind::int32, "45000"},
    known_config{"log.cleanup.policy", kind::list, "delete"},
    known_config{"log.retention.hours", kind::int32, "168"},
    known_config{"message.max.bytes", kind::int32, "1048588"},
    known_config{"min.insync.replicas", kind::int32, "1", {}, 1},
    known_config{"num.partitions", kind::int32, "1"},
    known_config{"offsets.topic.replication.factor", kind::int16, "1"},
    known_config{"transaction.max.timeout.ms", kind::int32, "900000"},
    known_config{"unclean.leader.election.enable", kind::boolean, "false"},
};

constexpr std::array group_configs{
    known_config{"consumer.heartbeat.interval.ms", kind::int32, "5000", {}, 1},
    known_config{"consumer.session.timeout.ms", kind::int32, "45000", {}, 1},
};

// What a number of that kind lacks.
template <class Number>
std::string fault_of_number(const std::string& text, std::int64_t at_least, const char* type) {
    Number number{};
    const auto* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end) return std::string("Not a number of type ") + type;
    if (static_cast<std::int64_t>(number) < at_least) return "Value must be at least " + std::to_string(at_least);
    return {};
}

bool is_among(std::string_view word, std::string_view allowed) {
    for (std::size_t at = 0; at <= allowed.size();) {
        const auto comma = std::min(allowed.find(", ", at), allowed.size());
        if (allowed.substr(at, comma - at) == word) return true;
        at = comma + 2;
    }
    return false;
}

std::string fault_of_words(const std::string& value, const known_config& known) {
    if (known.allowed.empty()) return {};
    const bool is_list = known.kind == kind::list;
    for (std::size_t at = 0; at <= value.size();) {
        const auto comma = is_list ? std::min(value.find(',', at), value.size()) : value.size();
        if (!is_among(std::string_view(value).substr(at, comma - at), known.allowed)) {
            return "String must be one of: " + std::string(known.allowed);
        }
        at = comma + 1;
    }
    return {};
}

// Empty if there is nothing wrong with it.
std::string fault_of(const std::string& value, const known_config& known) {
    switch (known.kind) {
        case kind::boolean:
            return value == "true" || value == "false" ? "" : "Expected value to be either true or false";
        case kind::int16: return fault_of_number<std::int16_t>(value, known.at_least, "SHORT");
        case kind::int32: return fault_of_number<std::int32_t>(value, known.at_least, "INT");
        case kind::int64: return fault_of_number<std::int64_t>(value, known.at_least, "LONG");
        case kind::real: return fault_of_number<double>(value, known.at_least, "DOUBLE");
        case kind::text:
        case kind::list: return fault_of_words(value, known);
    }
    return {};
}

}  // namespace

std::span<const known_config> configs_of(config_resource resource) noexcept {
    switch (resource) {
        case config_resource::topic: return topic_configs;
        case config_resource::broker: return broker_configs;
        case config_resource::group: return group_configs;
    }
    return {};
}

bool is_dynamic(const known_config& of_broker) noexcept {
    constexpr std::array fixed{"auto.create.topics.enable"sv,
                               "default.replication.factor"sv,
                               "delete.topic.enable"sv,
                               "group.consumer.assignors"sv,
                               "group.consumer.heartbeat.interval.ms"sv,
                               "group.consumer.session.timeout.ms"sv,
                               "log.retention.hours"sv,
                               "num.partitions"sv,
                               "offsets.topic.replication.factor"sv,
                               "transaction.max.timeout.ms"sv};
    return std::find(fixed.begin(), fixed.end(), of_broker.name) == fixed.end();
}

const known_config* find_config(config_resource resource, std::string_view name) noexcept {
    const auto all = configs_of(resource);
    const auto found = std::find_if(all.begin(), all.end(), [&](const known_config& one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
}

std::optional<std::string> refusal_of(config_resource resource, const std::string& name, const std::string& value) {
    const auto* known = find_config(resource, name);
    if (!known) {
        const bool topic = resource == config_resource::topic;
        return std::string("Unknown ") +
               (topic                                ? "topic "
                : resource == config_resource::group ? "group "
                                                     : "") +
               "config name: " + name;
    }
    const auto fault = fault_of(value, *known);
    return fault.empty() ? std::nullopt
                         : std::optional("Invalid value " + value + " for configuration " + name + ": " + fault);
}

}  // namespace strandline::testkit::fake
