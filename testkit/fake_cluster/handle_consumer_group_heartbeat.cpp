// ConsumerGroupHeartbeat (68), versions 0 to 1. 1 adds patterns, and the member makes its own id.
#include "testkit/fake_cluster/group_check.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

reply handle(const messages::consumer_group_heartbeat_request& request, call& call) {
    messages::consumer_group_heartbeat_response response;
    response.error_code = check_coordinator(call, request.group_id);
    if (response.error_code == broker_error::none && call.version() >= 1 && request.member_id.empty()) {
        response.error_code = broker_error::invalid_request;
        response.error_message = "MemberId can't be empty.";
    }
    if (response.error_code != broker_error::none) return reply::now(std::move(response));
    return reply::now(call.all.groups.heartbeat(request, call.header.client_id.value_or(""), call.now));
}

}  // namespace strandline::testkit::fake
