// FindCoordinator (10), versions 0 to 6. 1 tells groups from transactions; 4 asks for many keys.
#include "testkit/fake_cluster/consumer_groups.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

reply handle(const messages::find_coordinator_request& request, call& call) {
    messages::find_coordinator_response response;
    const auto find = [&](const std::string& key) {
        messages::find_coordinator_response::coordinator found;
        found.key = key;
        found.error_message = std::nullopt;
        found.node_id = protocol::no_broker;
        found.port = -1;
        const auto id = call.all.groups.coordinator_of(key);
        const auto* broker = call.cluster().find_broker(id);
        if (request.key_type < 0 || request.key_type > 1) {
            found.error_code = broker_error::invalid_request;
        } else if (!broker || !broker->running) {
            found.error_code = broker_error::coordinator_not_available;
        } else {
            found.node_id = id;
            found.host = broker->host;
            found.port = broker->port;
        }
        return found;
    };
    if (call.version() >= 4) {
        for (const auto& key : request.coordinator_keys) response.coordinators.push_back(find(key));
    } else {
        auto found = find(request.coordinator_key);
        response.error_code = found.error_code;
        response.error_message = std::nullopt;
        response.node_id = found.node_id;
        response.host = std::move(found.host);
        response.port = found.port;
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
