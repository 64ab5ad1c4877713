// CreatePartitions (37), versions 0 to 3. 3 may be answered with THROTTLING_QUOTA_EXCEEDED, which never happens here.
#include <algorithm>

#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using asked_topic = messages::create_partitions_request::create_partitions_topic;
using result = messages::create_partitions_response::create_partitions_topic_result;

result refuse(result out, broker_error error, std::string message) {
    out.error_code = error;
    out.error_message = std::move(message);
    return out;
}

result answer(const asked_topic& asked, bool validate_only, call& call) {
    auto& cluster = call.cluster();
    result out;
    out.name = asked.name;
    auto* topic = cluster.find_topic(asked.name);
    if (!topic)
        return refuse(out, broker_error::unknown_topic_or_partition, "This server does not host this topic-partition.");
    const auto present = static_cast<std::int32_t>(topic->partitions.size());
    if (asked.count == present) {
        return refuse(out, broker_error::invalid_partitions,
                      "Topic already has " + std::to_string(present) + " partition(s).");
    }
    if (asked.count < present) {
        return refuse(out, broker_error::invalid_partitions,
                      "The topic " + asked.name + " currently has " + std::to_string(present) + " partition(s); " +
                          std::to_string(asked.count) + " would not be an increase.");
    }
    if (asked.assignments) {
        const bool one_each = asked.assignments->size() == static_cast<std::size_t>(asked.count - present);
        const bool known = std::all_of(asked.assignments->begin(), asked.assignments->end(), [&](const auto& one) {
            return !one.broker_ids.empty() &&
                   std::all_of(one.broker_ids.begin(), one.broker_ids.end(),
                               [&](protocol::broker_id id) { return cluster.brokers().contains(id); });
        });
        if (!one_each || !known) {
            return refuse(out, broker_error::invalid_replica_assignment,
                          "Attempted to add " + std::to_string(asked.count - present) +
                              " additional partition(s), but only " + std::to_string(asked.assignments->size()) +
                              " assignment(s) on registered brokers were specified.");
        }
    }
    if (validate_only) return out;
    const auto copies = topic->partitions.empty() ? std::size_t{1} : topic->partitions.front()->replicas.size();
    cluster.add_partitions(*topic, asked.count, static_cast<std::int16_t>(copies));
    if (asked.assignments) {
        for (std::size_t i = 0; i < asked.assignments->size(); ++i) {
            cluster.place(*topic->find(present + static_cast<std::int32_t>(i)), (*asked.assignments)[i].broker_ids);
        }
    }
    return out;
}

}  // namespace

reply handle(const messages::create_partitions_request& request, call& call) {
    messages::create_partitions_response response;
    for (const auto& asked : request.topics) response.results.push_back(answer(asked, request.validate_only, call));
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
