// CreateTopics (19), versions 2 to 7. 4 takes -1 for the broker's defaults; 5 tells the configs; 7 topic ids.
#include <algorithm>
#include <map>
#include <set>

#include "testkit/fake_cluster/config_catalogue.hpp"
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/kafkas_words.hpp"
#include "testkit/fake_cluster/replica_check.hpp"
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

// Why the partitions cannot be placed so, if they cannot.
std::optional<std::string> fault_of_placement(const asked_topic& asked, const cluster_state& cluster) {
    std::set<std::int32_t> seen;
    const auto copies = asked.assignments.front().broker_ids.size();
    for (const auto& one : asked.assignments) {
        const auto index = one.partition_index.value();
        if (!seen.insert(index).second) {
            return "Found multiple manual partition assignments for partition " + std::to_string(index);
        }
        if (auto fault = fault_of_replicas(one.broker_ids, cluster)) return fault;
        if (one.broker_ids.size() != copies) {
            return "The manual partition assignment includes a partition with " +
                   std::to_string(one.broker_ids.size()) +
                   " replica(s), but this is not consistent with previous "
                   "partitions, which have " +
                   std::to_string(copies) + " replica(s).";
        }
    }
    const bool whole = *seen.begin() == 0 && *seen.rbegin() == static_cast<std::int32_t>(seen.size()) - 1;
    return whole ? std::nullopt
                 : std::optional<std::string>("partitions should be a consecutive 0-based integer sequence");
}

// Brokers take dots and underscores for the same when they name metrics.
const topic_state* look_alike(const std::string& name, cluster_state& cluster) {
    const auto blurred = [](std::string text) {
        std::replace(text.begin(), text.end(), '.', '_');
        return text;
    };
    if (name.find_first_of("._") == std::string::npos) return nullptr;
    for (const auto& [other, topic] : cluster.topics()) {
        if (blurred(other) == blurred(name)) return &topic;
    }
    return nullptr;
}

void check_by_hand(const asked_topic& asked, call& call, result& out) {
    constexpr auto both = "A manual partition assignment was specified, but ";
    if (asked.replication_factor != -1) {
        refuse(out, broker_error::invalid_request, std::string(both) + "replication factor was not set to -1.");
    } else if (asked.num_partitions != -1) {
        refuse(out, broker_error::invalid_request, std::string(both) + "numPartitions was not set to -1.");
    } else if (auto fault = fault_of_placement(asked, call.cluster())) {
        refuse(out, broker_error::invalid_replica_assignment, std::move(*fault));
    }
}

void check_by_number(std::int32_t partitions, std::int16_t replication, call& call, result& out) {
    const auto brokers = call.cluster().brokers().size();
    if (replication < 1) {
        refuse(out, broker_error::invalid_replication_factor,
               "Replication factor must be larger than 0, or -1 to use the default value.");
    } else if (partitions < 1) {
        refuse(out, broker_error::invalid_partitions, "Number of partitions was set to an invalid non-positive value.");
    } else if (static_cast<std::size_t>(replication) > brokers) {
        const auto wanted = std::to_string(replication);
        refuse(out, broker_error::invalid_replication_factor,
               "Unable to replicate the partition " + wanted + " time(s): The target replication factor of " + wanted +
                   " cannot be reached because only " + std::to_string(brokers) +
                   " broker(s) are registered or some brokers have all their log directories cordoned.");
    }
}

// Whether it can be made; `out` has the reason if not.
bool check(const asked_topic& asked, std::int32_t partitions, std::int16_t replication, call& call, result& out) {
    auto& cluster = call.cluster();
    if (!is_topic_name(asked.name)) {
        refuse(out, broker_error::invalid_topic_exception, not_a_topic_name(asked.name));
    } else if (cluster.find_topic(asked.name)) {
        refuse(out, broker_error::topic_already_exists, "Topic '" + asked.name + "' already exists.");
    } else if (const auto* other = look_alike(asked.name, cluster)) {
        refuse(out, broker_error::invalid_topic_exception,
               "Topic '" + asked.name + "' collides with existing topic: " + other->name);
    }
    for (const auto& config : asked.configs) {
        if (out.error_code != broker_error::none) return false;
        if (auto reason = refusal_of(config_resource::topic, config.name, config.value.value_or(""))) {
            refuse(out, broker_error::invalid_config, std::move(*reason));
        }
    }
    if (out.error_code != broker_error::none) return false;
    if (asked.assignments.empty()) {
        check_by_number(partitions, replication, call, out);
    } else {
        check_by_hand(asked, call, out);
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
    if (!check(asked, partitions, replication, call, out)) return out;
    config_map configs;
    for (const auto& config : asked.configs) configs[config.name] = config.value.value_or("");
    out.num_partitions = partitions;
    out.replication_factor = replication;
    show_configs(configs, out);
    if (validate_only) {
        // An id that nobody will ever have.
        out.topic_id = base::uuid::random(call.cluster().random());
        return out;
    }
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
            refuse(out, broker_error::invalid_request, "Duplicate topic name.");
        }
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
