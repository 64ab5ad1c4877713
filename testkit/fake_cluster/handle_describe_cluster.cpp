// DescribeCluster (60), versions 0 to 2. 1 tells brokers from controllers; 2 shows fenced brokers on demand: those that
// do not run.
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/kafkas_words.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

reply handle(const messages::describe_cluster_request& request, call& call) {
    constexpr std::int8_t brokers = 1;
    constexpr std::int8_t controllers = 2;
    const auto& cluster = call.cluster();
    messages::describe_cluster_response response;
    if (request.endpoint_type != brokers) {
        const bool known = request.endpoint_type == controllers;
        response.error_code = known ? broker_error::mismatched_endpoint_type : broker_error::unsupported_endpoint_type;
        response.error_message =
            known ? "The request was sent to an endpoint of type BROKER, but we wanted an endpoint of type CONTROLLER"
                  : "Unsupported endpoint type " + std::to_string(request.endpoint_type);
        return reply::now(std::move(response));
    }
    if (request.include_cluster_authorized_operations) response.cluster_authorized_operations = all_cluster_operations;
    response.cluster_id = cluster.cluster_id();
    response.controller_id = cluster.controller();
    for (const auto& [id, broker] : cluster.brokers()) {
        if (!broker.running && !request.include_fenced_brokers) continue;
        auto& shown = response.brokers.emplace_back();
        shown.broker_id = id;
        shown.host = broker.host;
        shown.port = broker.port;
        if (!broker.rack.empty()) shown.rack = broker.rack;
        shown.is_fenced = !broker.running;
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
