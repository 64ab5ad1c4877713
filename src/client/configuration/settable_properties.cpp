#include <limits>
#include <utility>

#include <fmt/format.h>

#include "client/configuration/property.hpp"
#include "client/configuration/property_text.hpp"

namespace strandline::client::configuration {

namespace {

using std::chrono::milliseconds;
using aliases = std::vector<std::string_view>;

constexpr auto any_value = [](const consumer_config&) { return true; };

template <class Field>
property text(std::string_view name, Field consumer_config::* field, aliases also = {}) {
    return {name,
            std::move(also),
            "text",
            [field](consumer_config& config, std::string_view given) {
                config.*field = std::string(given);
                return true;
            },
            [field](const consumer_config& config) -> std::optional<std::string> {
                if constexpr (std::is_same_v<Field, std::string>) {
                    if ((config.*field).empty()) return std::nullopt;
                }
                return config.*field;
            },
            any_value};
}

property boolean(std::string_view name, bool consumer_config::* field) {
    return {
        name,
        {},
        "true or false",
        [field](consumer_config& config, std::string_view given) {
            const auto value = read_boolean(given);
            if (value) config.*field = *value;
            return value.has_value();
        },
        [field](const consumer_config& config) { return std::optional<std::string>(config.*field ? "true" : "false"); },
        any_value};
}

template <class Number>
property number(std::string_view name, Number consumer_config::* field, std::int64_t least, std::string_view accepted,
                aliases also = {}) {
    return {name,
            std::move(also),
            accepted,
            [field](consumer_config& config, std::string_view given) {
                const auto value = read_integer(given);
                if (!value || !std::in_range<Number>(*value)) return false;
                config.*field = static_cast<Number>(*value);
                return true;
            },
            [field](const consumer_config& config) { return std::optional(std::to_string(config.*field)); },
            [field, least](const consumer_config& config) { return std::cmp_greater_equal(config.*field, least); }};
}

property duration(std::string_view name, milliseconds consumer_config::* field, std::int64_t least,
                  std::string_view accepted, aliases also = {}) {
    return {name,
            std::move(also),
            accepted,
            [field](consumer_config& config, std::string_view given) {
                const auto value = read_integer(given);
                if (value) config.*field = milliseconds(*value);
                return value.has_value();
            },
            [field](const consumer_config& config) { return std::optional(std::to_string((config.*field).count())); },
            [field, least](const consumer_config& config) { return (config.*field).count() >= least; }};
}

constexpr std::string_view zero_ms = "milliseconds, 0 or more";
constexpr std::string_view one_ms = "milliseconds, 1 or more";

std::vector<property> group_properties() {
    using config = consumer_config;
    return {
        text("bootstrap.servers", &config::bootstrap_servers, {"metadata.broker.list"}),
        text("client.id", &config::client_id),
        text("client.rack", &config::client_rack),
        text("group.id", &config::group_id),
        text("group.instance.id", &config::group_instance_id),
        text("group.remote.assignor", &config::group_remote_assignor),
        {"enable.auto.commit",
         {},
         "true or false",
         [](config& to, std::string_view given) {
             const auto value = read_boolean(given);
             if (value) to.enable_auto_commit = *value;
             return value.has_value();
         },
         [](const config& from) { return std::optional<std::string>(*from.enable_auto_commit ? "true" : "false"); },
         any_value},
        duration("auto.commit.interval.ms", &config::auto_commit_interval, 1, one_ms),
        {"auto.offset.reset",
         {},
         "earliest, latest, none or by_duration:<ISO 8601 duration>",
         [](config& to, std::string_view given) {
             const auto value = read_offset_reset(given);
             if (value) to.auto_offset_reset = *value;
             return value.has_value();
         },
         [](const config& from) { return std::optional(write(*from.auto_offset_reset)); },
         [](const config& from) { return from.auto_offset_reset.value().ago.count() >= 0; }},
        {"isolation.level",
         {},
         "read_committed or read_uncommitted",
         [](config& to, std::string_view given) {
             const auto word = lower_case(given);
             if (word == "read_committed")
                 to.isolation_level = isolation_level::read_committed;
             else if (word == "read_uncommitted")
                 to.isolation_level = isolation_level::read_uncommitted;
             else
                 return false;
             return true;
         },
         [](const config& from) {
             const bool committed = *from.isolation_level == isolation_level::read_committed;
             return std::optional<std::string>(committed ? "read_committed" : "read_uncommitted");
         },
         any_value},
        duration("max.poll.interval.ms", &config::max_poll_interval, 1, one_ms),
        {"max.poll.records",
         {},
         "a number of records, 1 or more",
         [](config& to, std::string_view given) {
             const auto value = read_integer(given);
             if (!value || !std::in_range<std::int32_t>(*value)) return false;
             to.max_poll_records = static_cast<std::int32_t>(*value);
             return true;
         },
         [](const config& from) -> std::optional<std::string> {
             if (!from.max_poll_records) return std::nullopt;
             return std::to_string(*from.max_poll_records);
         },
         [](const config& from) { return from.max_poll_records.value_or(1) >= 1; }},
    };
}

std::vector<property> fetch_properties() {
    using config = consumer_config;
    return {
        number("fetch.min.bytes", &config::fetch_min_bytes, 0, "bytes, 0 to 2147483647"),
        number("fetch.max.bytes", &config::fetch_max_bytes, 1, "bytes, 1 to 2147483647"),
        number("max.partition.fetch.bytes", &config::max_partition_fetch_bytes, 1, "bytes, 1 to 2147483647",
               {"fetch.message.max.bytes"}),
        duration("fetch.max.wait.ms", &config::fetch_max_wait, 0, zero_ms, {"fetch.wait.max.ms"}),
        boolean("check.crcs", &config::check_crcs),
        boolean("exclude.internal.topics", &config::exclude_internal_topics),
        boolean("allow.auto.create.topics", &config::allow_auto_create_topics),
        number("memory.limit", &config::memory_limit, 1024 * 1024, "bytes, 1048576 or more"),
        number("max.decompressed.batch.bytes", &config::max_decompressed_batch_bytes, 1024, "bytes, 1024 or more"),
    };
}

std::vector<property> network_properties() {
    using config = consumer_config;
    return {
        duration("close.timeout.ms", &config::close_timeout, 0, zero_ms),
        duration("default.api.timeout.ms", &config::default_api_timeout, 0, zero_ms),
        duration("request.timeout.ms", &config::request_timeout, 1, one_ms, {"socket.timeout.ms"}),
        duration("retry.backoff.ms", &config::retry_backoff, 0, zero_ms),
        duration("retry.backoff.max.ms", &config::retry_backoff_max, 0, zero_ms),
        duration("reconnect.backoff.ms", &config::reconnect_backoff, 0, zero_ms),
        duration("reconnect.backoff.max.ms", &config::reconnect_backoff_max, 0, zero_ms),
        duration("socket.connection.setup.timeout.ms", &config::socket_connection_setup_timeout, 1, one_ms),
        duration("socket.connection.setup.timeout.max.ms", &config::socket_connection_setup_timeout_max, 1, one_ms),
        duration("connections.max.idle.ms", &config::connections_max_idle, -1, "milliseconds, 0 or -1 for never"),
        duration("metadata.max.age.ms", &config::metadata_max_age, 1, one_ms, {"topic.metadata.refresh.interval.ms"}),
        {"metadata.recovery.strategy",
         {},
         "rebootstrap or none",
         [](config& to, std::string_view given) {
             const auto word = lower_case(given);
             if (word == "rebootstrap")
                 to.metadata_recovery_strategy = metadata_recovery_strategy::rebootstrap;
             else if (word == "none")
                 to.metadata_recovery_strategy = metadata_recovery_strategy::none;
             else
                 return false;
             return true;
         },
         [](const config& from) {
             const bool none = from.metadata_recovery_strategy == metadata_recovery_strategy::none;
             return std::optional<std::string>(none ? "none" : "rebootstrap");
         },
         any_value},
        duration("metadata.recovery.rebootstrap.trigger.ms", &config::metadata_recovery_rebootstrap_trigger, 0,
                 zero_ms),
        boolean("metadata.cluster.check.enable", &config::metadata_cluster_check_enable),
    };
}

}  // namespace

const std::vector<property>& settable_properties() {
    static const auto all = [] {
        auto made = group_properties();
        for (auto&& more : {fetch_properties(), network_properties()})
            made.insert(made.end(), more.begin(), more.end());
        return made;
    }();
    return all;
}

const property* find_settable(std::string_view name) {
    for (const auto& each : settable_properties()) {
        if (each.name == name) return &each;
        for (const auto alias : each.aliases) {
            if (alias == name) return &each;
        }
    }
    return nullptr;
}

}  // namespace strandline::client::configuration
