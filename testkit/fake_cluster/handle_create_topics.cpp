// CreateTopics (19), versions 2 to 7. 4 takes -1 for the broker's defaults; 5 tells the configs; 7 topic ids.
#include <algorithm>
#include <map>

#include "testkit/fake_cluster/config_catalogue.hpp"
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/topic_name.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using asked_topic = messages::create_topics_request::creatable_topic;
using result = messages::create_topics_response::creatable_topic_result;

void refuse(result& out, broker_error error, std::string message) {
    out.error_code = error;
    out.error_message = std::move(message);
}

bool has_valid_assignments(const asked_topic& asked, const cluster_state& cluster) {
    std::vector<bool> seen(asked.assignments.size());
    return std::all_of(asked.assignments.begin(), asked.assignments.end(), [&](const auto& one) {
        const auto index = static_cast<std::size_t>(one.partition_index.value());
        if (one.partition_index.value() < 0 || index >= seen.size() || seen[index] || one.broker_ids.empty())
            return false;
        seen[index] = true;
        return std::all_of(one.broker_ids.begin(), one.broker_ids.end(),
                           [&](protocol::broker_id id) { return cluster.brokers().contains(id); });
    });
}

// Whether it can be made; `out` has the reason if not.
bool check(const asked_topic& asked, std::int32_t partitions, std::int16_t replication, call& call, result& out) {
    auto& cluster = call.cluster();
    const auto brokers = cluster.brokers().size();
    const bool by_hand = !asked.assignments.empty();
    if (!is_topic_name(asked.name)) {
        refuse(out, broker_error::invalid_topic_exception, "Topic name is invalid: '" + asked.name + "'");
    } else if (cluster.find_topic(asked.name)) {
        refuse(out, broker_error::topic_already_exists, "Topic '" + asked.name + "' already exists.");
    } else if (by_hand && (asked.num_partitions != -1 || asked.replication_factor != -1)) {
        refuse(
            out, broker_error::invalid_request,
            "A manual partition assignment was specified, but numPartitions or replicationFactor was not set to -1.");
    } else if (by_hand && !has_valid_assignments(asked, cluster)) {
        refuse(out, broker_error::invalid_replica_assignment,
               "The manual partition assignment does not name each partition once, on brokers that are registered.");
    } else if (!by_hand && partitions <= 0) {
        refuse(out, broker_error::invalid_partitions, "Number of partitions was set to an invalid non-positive value.");
    } else if (!by_hand && replication <= 0) {
        refuse(out, broker_error::invalid_replication_factor,
               "Replication factor was set to an invalid non-positive value.");
    } else if (!by_hand && static_cast<std::size_t>(replication) > brokers) {
        const auto wanted = std::to_string(replication);
        refuse(out, broker_error::invalid_replication_factor,
               "Unable to replicate the partition " + wanted + " time(s): The target replication factor of " + wanted +
                   " cannot be reached because only " + std::to_string(brokers) + " broker(s) are registered.");
    }
    for (const auto& config : asked.configs) {
        if (out.error_code != broker_error::none) return false;
        if (auto reason = refusal_of(config_resource::topic, config.name, config.value.value_or(""))) {
            refuse(out, broker_error::invalid_config, std::move(*reason));
        }
    }
    return out.error_code == broker_error::none;
}

void show_configs(const config_map& set, result& out) {
    out.configs.emplace();
    for (const auto& known : configs_of(config_resource::topic)) {
        const auto found = set.find(std::string(known.name));
        auto& shown = out.configs->emplace_back();
        shown.name = known.name;
        shown.value = found == set.end() ? std::string(known.value) : found->second;
        shown.config_source =
            static_cast<std::int8_t>(found == set.end() ? config_source::fixed : config_source::topic);
    }
}

result answer(const asked_topic& asked, bool validate_only, call& call) {
    result out;
    out.name = asked.name;
    out.error_message = std::nullopt;
    const auto partitions = !asked.assignments.empty()   ? static_cast<std::int32_t>(asked.assignments.size())
                            : asked.num_partitions == -1 ? call.all.default_partitions
                                                         : asked.num_partitions;
    const auto replication = !asked.assignments.empty()
                                 ? static_cast<std::int16_t>(asked.assignments.front().broker_ids.size())
                             : asked.replication_factor == -1 ? call.all.default_replication
                                                              : asked.replication_factor;
    if (!check(asked, partitions, replication, call, out)) {
        out.configs = std::nullopt;
        return out;
    }
    config_map configs;
    for (const auto& config : asked.configs) configs[config.name] = config.value.value_or("");
    out.num_partitions = partitions;
    out.replication_factor = replication;
    show_configs(configs, out);
    if (validate_only) return out;
    auto& made = call.cluster().create_topic(asked.name, partitions, replication);
    made.configs = std::move(configs);
    for (const auto& one : asked.assignments) {
        call.cluster().place(*made.find(one.partition_index.value()), one.broker_ids);
    }
    out.topic_id = made.id;
    return out;
}

}  // namespace

reply handle(const messages::create_topics_request& request, call& call) {
    std::map<std::string, int> named;
    for (const auto& asked : request.topics) ++named[asked.name];
    messages::create_topics_response response;
    for (const auto& asked : request.topics) {
        if (named[asked.name] == 1) {
            response.topics.push_back(answer(asked, request.validate_only, call));
        } else if (named[asked.name] > 1) {
            // Once, however often it was asked for.
            named[asked.name] = 0;
            auto& out = response.topics.emplace_back();
            out.name = asked.name;
            out.configs = std::nullopt;
            refuse(out, broker_error::invalid_request, "Duplicate topic name.");
        }
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
