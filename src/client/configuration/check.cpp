#include "client/configuration/check.hpp"

#include <fmt/format.h>

#include "client/configuration/bootstrap_servers.hpp"
#include "client/configuration/property.hpp"

namespace strandline::client::configuration {

problems check_values(const consumer_config& config) {
    problems found;
    for (const auto& each : settable_properties()) {
        if (each.in_range(config)) continue;
        found.push_back({std::string(each.name), fmt::format("{} is out of range; accepted: {}",
                                                             each.write(config).value_or(""), each.accepted)});
    }
    if (config.group_id && config.group_id->empty()) {
        found.push_back({"group.id", "is empty; leave it out to consume without a group"});
    }
    if (config.group_instance_id && config.group_instance_id->empty()) {
        found.push_back({"group.instance.id", "is empty; leave it out for dynamic membership"});
    }
    if (!config.group_id) {
        if (config.enable_auto_commit.is_set() && *config.enable_auto_commit) {
            found.push_back({"enable.auto.commit", "needs a group.id to commit for"});
        }
        if (config.group_instance_id) found.push_back({"group.instance.id", "needs a group.id"});
        if (config.group_remote_assignor) found.push_back({"group.remote.assignor", "needs a group.id"});
    }
    return found;
}

problems check_complete(const consumer_config& config) {
    auto found = check_values(config);
    if (const auto servers = read_bootstrap_servers(config.bootstrap_servers); !servers) {
        found.insert(found.begin(), {"bootstrap.servers", servers.error()});
    }
    return found;
}

}  // namespace strandline::client::configuration

namespace strandline::inline v0 {

result<void> check(const consumer_config& config) {
    return client::configuration::verdict_on(client::configuration::check_complete(config));
}

}  // namespace strandline::inline v0
