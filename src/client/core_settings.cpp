#include "client/core_settings.hpp"

#include <algorithm>

#include <strandline/version.hpp>

#include "client/configuration/bootstrap_servers.hpp"
#include "client/configuration/check.hpp"
#include "client/longest_wait.hpp"

namespace strandline::client {

namespace boundary = core::boundary;

namespace {

base::duration bounded(std::chrono::milliseconds wait) { return std::min(wait, longest_wait); }

boundary::reset_policy reset_of(const offset_reset& policy) {
    using kind = boundary::reset_policy::kind;
    switch (policy.what) {
        case offset_reset::kind::none: return {kind::none, {}};
        case offset_reset::kind::earliest: return {kind::earliest, {}};
        case offset_reset::kind::latest: return {kind::latest, {}};
        case offset_reset::kind::by_duration: return {kind::by_duration, bounded(policy.ago)};
    }
    return {};
}

// A maximum below the first step means that it does not grow, as in Java.
boundary::backoff growing(std::chrono::milliseconds initial, std::chrono::milliseconds maximum) {
    return {bounded(initial), bounded(std::max(initial, maximum))};
}

}  // namespace

result<boundary::core_config> core_settings(const consumer_config& config) {
    if (auto verdict = check(config); !verdict) return tl::unexpected(std::move(verdict.error()));
    boundary::core_config made;
    made.bootstrap_servers = *configuration::read_bootstrap_servers(config.bootstrap_servers);
    made.client_id = config.client_id.empty() ? "strandline" : config.client_id;
    made.client_rack = config.client_rack;
    made.software_name = "strandline";
    made.software_version = version();

    made.group_id = config.group_id;
    made.group_instance_id = config.group_instance_id;
    made.group_remote_assignor = config.group_remote_assignor;
    made.max_poll_interval = bounded(config.max_poll_interval);
    made.enable_auto_commit = config.group_id.has_value() && *config.enable_auto_commit;
    made.auto_commit_interval = bounded(config.auto_commit_interval);
    made.auto_offset_reset = reset_of(*config.auto_offset_reset);
    made.isolation = static_cast<boundary::isolation_level>(*config.isolation_level);

    made.fetch_min_bytes = config.fetch_min_bytes;
    made.fetch_max_bytes = config.fetch_max_bytes;
    made.max_partition_fetch_bytes = config.max_partition_fetch_bytes;
    made.fetch_max_wait = bounded(config.fetch_max_wait);
    made.check_crcs = config.check_crcs;
    made.exclude_internal_topics = config.exclude_internal_topics;
    made.allow_auto_create_topics = config.allow_auto_create_topics;
    made.memory_limit = config.memory_limit;

    made.request_timeout = bounded(config.request_timeout);
    made.default_api_timeout = bounded(config.default_api_timeout);
    made.retry = growing(config.retry_backoff, config.retry_backoff_max);
    made.reconnect = growing(config.reconnect_backoff, config.reconnect_backoff_max);
    made.connection_setup_timeout =
        growing(config.socket_connection_setup_timeout, config.socket_connection_setup_timeout_max);
    made.connections_max_idle =
        config.connections_max_idle.count() > 0 ? bounded(config.connections_max_idle) : base::duration::max();
    made.metadata_max_age = bounded(config.metadata_max_age);
    made.rebootstrap = config.metadata_recovery_strategy == metadata_recovery_strategy::rebootstrap;
    made.rebootstrap_trigger = bounded(config.metadata_recovery_rebootstrap_trigger);
    // Without a way back there is nothing a misrouted connection could lead to but an end (as in Java).
    made.cluster_check = made.rebootstrap && config.metadata_cluster_check_enable;
    return made;
}

}  // namespace strandline::client
