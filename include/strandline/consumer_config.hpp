// Everything that can be set about a consumer, with its default.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/export.hpp>
#include <strandline/offset_reset.hpp>
#include <strandline/properties.hpp>
#include <strandline/setting.hpp>

namespace strandline::inline v0 {

// read_committed: nothing of a transaction is delivered before it has committed, and nothing of an aborted one ever.
enum class isolation_level : std::int8_t { read_uncommitted = 0, read_committed = 1 };

// What to do when no known broker can be reached any more: begin again with the bootstrap servers, or not.
enum class metadata_recovery_strategy : std::uint8_t { rebootstrap, none };

// Use designated initialisers; fields are only ever appended. Each field is Kafka's property of the same name, with `_`
// for `.` and without the unit: max_poll_interval is max.poll.interval.ms. Times longer than a century count as one.
struct consumer_config {
    std::string bootstrap_servers = {};  // "host:port,host:port"; required
    std::optional<std::string> group_id = {};
    std::optional<std::string> group_instance_id = {};  // static membership
    std::optional<std::string> group_remote_assignor = {};  // none: the broker's default
    std::string client_id = {};
    std::string client_rack = {};  // fetches from a replica in the same rack, if there is one

    // Automatic commit is at-least-once: it covers what was processed. Needs a group id, and is off without one.
    setting<bool> enable_auto_commit = setting<bool>::by_default(true);
    std::chrono::milliseconds auto_commit_interval = std::chrono::seconds(5);
    setting<offset_reset> auto_offset_reset = setting<offset_reset>::by_default(offset_reset::latest);
    setting<strandline::isolation_level> isolation_level =
        setting<strandline::isolation_level>::by_default(strandline::isolation_level::read_committed);
    // Longer away from poll than this, and the member leaves the group.
    std::chrono::milliseconds max_poll_interval = std::chrono::minutes(5);
    // None: a poll returns what was fetched, whole batches of at least one partition. Set it when a record takes long.
    std::optional<std::int32_t> max_poll_records = {};

    std::int32_t fetch_min_bytes = 1;
    std::int32_t fetch_max_bytes = 50 * 1024 * 1024;
    std::int32_t max_partition_fetch_bytes = 1024 * 1024;
    std::chrono::milliseconds fetch_max_wait = std::chrono::milliseconds(500);
    bool check_crcs = true;
    bool exclude_internal_topics = true;  // from what a topic_pattern matches
    bool allow_auto_create_topics = true;

    // Of this library: all bytes of this consumer, fetched, held by the application and decompressed.
    std::size_t memory_limit = std::size_t{64} * 1024 * 1024;
    // Of this library: a batch that expands beyond it is an error of its partition.
    std::size_t max_decompressed_batch_bytes = std::size_t{128} * 1024 * 1024;
    // Of this library: how long a destructor may take to commit and to leave the group.
    std::chrono::milliseconds close_timeout = std::chrono::seconds(5);

    std::chrono::milliseconds default_api_timeout = std::chrono::seconds(60);
    std::chrono::milliseconds request_timeout = std::chrono::seconds(30);
    std::chrono::milliseconds retry_backoff = std::chrono::milliseconds(100);
    std::chrono::milliseconds retry_backoff_max = std::chrono::seconds(1);
    std::chrono::milliseconds reconnect_backoff = std::chrono::milliseconds(50);
    std::chrono::milliseconds reconnect_backoff_max = std::chrono::seconds(10);
    std::chrono::milliseconds socket_connection_setup_timeout = std::chrono::seconds(10);
    std::chrono::milliseconds socket_connection_setup_timeout_max = std::chrono::seconds(30);
    std::chrono::milliseconds connections_max_idle = std::chrono::minutes(9);
    std::chrono::milliseconds metadata_max_age = std::chrono::minutes(5);
    strandline::metadata_recovery_strategy metadata_recovery_strategy =
        strandline::metadata_recovery_strategy::rebootstrap;
    std::chrono::milliseconds metadata_recovery_rebootstrap_trigger = std::chrono::minutes(5);
    bool metadata_cluster_check_enable = true;

    // From properties by Java's or librdkafka's names. The error names everything that is wrong, with the nearest known
    // name beside an unknown one. Properties that mean nothing here, but do no harm, are told in `warnings`.
    STRANDLINE_API static result<consumer_config> parse(const properties& given);

    // Told by parse(): properties without effect.
    std::vector<std::string> warnings = {};

    friend bool operator==(const consumer_config&, const consumer_config&) = default;
};

// Everything that is wrong, at once; what the constructor of consumer does first.
STRANDLINE_API result<void> check(const consumer_config& config);

// As Java's properties, one per line. Secrets are masked.
STRANDLINE_API std::string to_string(const consumer_config& config);

// All property names that parse() understands, and whether their values are secrets: for tools that show
// configurations.
struct property_description {
    std::string_view name;
    std::string_view alias_of;  // empty: a name of its own
    std::string_view values;  // what is accepted, in words
    std::string standard;  // the default
    bool secret = false;
};
STRANDLINE_API std::vector<property_description> consumer_properties();

}  // namespace strandline::inline v0
