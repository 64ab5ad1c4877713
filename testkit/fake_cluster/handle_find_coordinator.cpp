// FindCoordinator (10), versions 0 to 6. 1 tells groups from transactions; 4 asks for many keys.
#include "testkit/fake_cluster/consumer_groups.hpp"
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/kafkas_words.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

// Brokers make these topics when they are first asked who keeps something in them. Their logs stay empty here.
void make_internal_topic(std::int8_t key_type, call& call) {
    const std::string name = key_type == 0 ? "__consumer_offsets" : "__transaction_state";
    if (call.cluster().find_topic(name)) return;
    auto& topic = call.cluster().create_topic(name, call.all.internal_partitions, call.all.default_replication);
    topic.configs["cleanup.policy"] = "compact";
}

}  // namespace

reply handle(const messages::find_coordinator_request& request, call& call) {
    messages::find_coordinator_response response;
    const auto find = [&](const std::string& key) {
        messages::find_coordinator_response::coordinator found;
        found.key = key;
        found.error_message = "";
        found.node_id = protocol::no_broker;
        found.port = -1;
        const auto id = call.all.groups.coordinator_of(key);
        const auto* broker = call.cluster().find_broker(id);
        if (request.key_type < 0 || request.key_type > 1) {
            found.error_code = broker_error::invalid_request;
            // Of a share group's it is known what is wrong: it was asked for too early.
            constexpr std::int8_t share = 2;
            found.error_message = request.key_type == share && call.version() < 6 ? "" : malformed_request;
        } else if (!broker || !broker->running) {
            found.error_code = broker_error::coordinator_not_available;
        } else {
            make_internal_topic(request.key_type, call);
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
        // Kafka's word for no error is said, too.
        response.error_message = found.error_code == broker_error::none ? "NONE" : std::move(found.error_message);
        response.node_id = found.node_id;
        response.host = std::move(found.host);
        response.port = found.port;
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
