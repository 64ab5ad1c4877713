// The configuration as the core reads it: checked, complete, in the core's types. `client/` makes it from
// consumer_config.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"

namespace strandline::core::boundary {

enum class isolation_level : std::int8_t { read_uncommitted = 0, read_committed = 1 };

struct reset_policy {
    enum class kind { none, earliest, latest, by_duration };
    kind what = kind::latest;
    base::duration ago{};  // by_duration: how far before now
    friend bool operator==(const reset_policy&, const reset_policy&) = default;
};

struct host_port {
    std::string host;
    std::uint16_t port = 0;
    friend auto operator<=>(const host_port&, const host_port&) = default;
};

struct backoff {
    base::duration initial;
    base::duration maximum;
};

struct core_config {
    std::vector<host_port> bootstrap_servers;
    std::string client_id;
    std::string client_rack;
    std::string software_name;
    std::string software_version;

    std::optional<std::string> group_id;
    std::optional<std::string> group_instance_id;
    std::optional<std::string> group_remote_assignor;
    base::duration max_poll_interval = std::chrono::minutes(5);
    bool enable_auto_commit = true;  // false when there is no group id
    base::duration auto_commit_interval = std::chrono::seconds(5);
    reset_policy auto_offset_reset;
    isolation_level isolation = isolation_level::read_committed;

    std::int32_t fetch_min_bytes = 1;
    std::int32_t fetch_max_bytes = 50 * 1024 * 1024;
    std::int32_t max_partition_fetch_bytes = 1024 * 1024;
    base::duration fetch_max_wait = std::chrono::milliseconds(500);
    bool check_crcs = true;
    bool exclude_internal_topics = true;
    bool allow_auto_create_topics = true;
    std::size_t memory_limit = std::size_t{64} * 1024 * 1024;

    base::duration request_timeout = std::chrono::seconds(30);
    base::duration default_api_timeout = std::chrono::seconds(60);
    backoff retry{std::chrono::milliseconds(100), std::chrono::seconds(1)};
    backoff reconnect{std::chrono::milliseconds(50), std::chrono::seconds(10)};
    backoff connection_setup_timeout{std::chrono::seconds(10), std::chrono::seconds(30)};
    base::duration connections_max_idle = std::chrono::minutes(9);  // base::duration::max(): never
    base::duration metadata_max_age = std::chrono::minutes(5);
    bool rebootstrap = true;  // metadata.recovery.strategy
    base::duration rebootstrap_trigger = std::chrono::minutes(5);
    bool cluster_check = true;  // KIP-1242
    std::size_t max_frame_bytes = std::size_t{100} * 1024 * 1024;
};

}  // namespace strandline::core::boundary
