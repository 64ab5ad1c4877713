#include "testkit/fake_cluster/config_catalogue.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace strandline::testkit::fake {

namespace {

using kind = config_kind;

constexpr std::array topic_configs{
    known_config{"cleanup.policy", kind::list, "delete"},
    known_config{"compression.type", kind::text, "producer"},
    known_config{"delete.retention.ms", kind::int64, "86400000"},
    known_config{"file.delete.delay.ms", kind::int64, "60000"},
    known_config{"flush.messages", kind::int64, "9223372036854775807"},
    known_config{"flush.ms", kind::int64, "9223372036854775807"},
    known_config{"index.interval.bytes", kind::int32, "4096"},
    known_config{"max.compaction.lag.ms", kind::int64, "9223372036854775807"},
    known_config{"max.message.bytes", kind::int32, "1048588"},
    known_config{"message.timestamp.after.max.ms", kind::int64, "3600000"},
    known_config{"message.timestamp.before.max.ms", kind::int64, "9223372036854775807"},
    known_config{"message.timestamp.type", kind::text, "CreateTime"},
    known_config{"min.cleanable.dirty.ratio", kind::real, "0.5"},
    known_config{"min.compaction.lag.ms", kind::int64, "0"},
    known_config{"min.insync.replicas", kind::int32, "1"},
    known_config{"preallocate", kind::boolean, "false"},
    known_config{"retention.bytes", kind::int64, "-1"},
    known_config{"retention.ms", kind::int64, "604800000"},
    known_config{"segment.bytes", kind::int32, "1073741824"},
    known_config{"segment.index.bytes", kind::int32, "10485760"},
    known_config{"segment.jitter.ms", kind::int64, "0"},
    known_config{"segment.ms", kind::int64, "604800000"},
    known_config{"unclean.leader.election.enable", kind::boolean, "false"},
};

constexpr std::array broker_configs{
    known_config{"auto.create.topics.enable", kind::boolean, "true"},
    known_config{"compression.type", kind::text, "producer"},
    known_config{"default.replication.factor", kind::int32, "1"},
    known_config{"delete.topic.enable", kind::boolean, "true"},
    known_config{"group.consumer.assignors", kind::list, "uniform,range"},
    known_config{"group.consumer.heartbeat.interval.ms", kind::int32, "5000"},
    known_config{"group.consumer.session.timeout.ms", kind::int32, "45000"},
    known_config{"log.cleanup.policy", kind::list, "delete"},
    known_config{"log.retention.hours", kind::int32, "168"},
    known_config{"message.max.bytes", kind::int32, "1048588"},
    known_config{"min.insync.replicas", kind::int32, "1"},
    known_config{"num.partitions", kind::int32, "1"},
    known_config{"offsets.topic.replication.factor", kind::int16, "1"},
    known_config{"transaction.max.timeout.ms", kind::int32, "900000"},
    known_config{"unclean.leader.election.enable", kind::boolean, "false"},
};

constexpr std::array group_configs{
    known_config{"consumer.heartbeat.interval.ms", kind::int32, "5000"},
    known_config{"consumer.session.timeout.ms", kind::int32, "45000"},
};

template <class Number>
bool is_number(const std::string& text) {
    Number number{};
    const auto* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end;
}

bool fits(kind of, const std::string& value) {
    switch (of) {
        case kind::boolean: return value == "true" || value == "false";
        case kind::int16: return is_number<std::int16_t>(value);
        case kind::int32: return is_number<std::int32_t>(value);
        case kind::int64: return is_number<std::int64_t>(value);
        case kind::real: return is_number<double>(value);
        case kind::text:
        case kind::list: return true;
    }
    return true;
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
    if (!fits(known->kind, value)) return "Invalid value " + value + " for configuration " + name;
    return std::nullopt;
}

}  // namespace strandline::testkit::fake
