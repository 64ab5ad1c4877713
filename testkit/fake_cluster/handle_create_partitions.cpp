// CreatePartitions (37), versions 0 to 3. 3 may be answered with THROTTLING_QUOTA_EXCEEDED, which never happens here.
#include <map>

#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/replica_check.hpp"

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
    if (!topic) {
        out.error_code = broker_error::unknown_topic_or_partition;
        return out;
    }
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
        const auto wanted = static_cast<std::size_t>(asked.count - present);
        if (asked.assignments->size() != wanted) {
            return refuse(out, broker_error::invalid_replica_assignment,
                          "Attempted to add " + std::to_string(wanted) + " additional partition(s), but only " +
                              std::to_string(asked.assignments->size()) + " assignment(s) were specified.");
        }
        for (const auto& one : *asked.assignments) {
            if (auto fault = fault_of_replicas(one.broker_ids, cluster)) {
                return refuse(out, broker_error::invalid_replica_assignment, std::move(*fault));
            }
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
    std::map<std::string, int> named;
    for (const auto& asked : request.topics) ++named[asked.name];
    messages::create_partitions_response response;
    for (const auto& asked : request.topics) {
        auto& times = named[asked.name];
        if (times == 1) {
            response.results.push_back(answer(asked, request.validate_only, call));
        } else if (times > 1) {
            // Once, however often it was asked for.
            times = 0;
            result out;
            out.name = asked.name;
            response.results.push_back(refuse(std::move(out), broker_error::invalid_request, "Duplicate topic name."));
        }
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
