// DescribeGroups (15), versions 0 to 6: classic groups, of which only those without members exist here. 6 answers
// GROUP_ID_NOT_FOUND where older versions show a dead group.
#include "testkit/fake_cluster/group_check.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

reply handle(const messages::describe_groups_request& request, call& call) {
    messages::describe_groups_response response;
    for (const auto& id : request.groups) {
        auto& out = response.groups.emplace_back();
        out.group_id = id;
        out.error_code = check_coordinator(call, id);
        if (out.error_code != broker_error::none) continue;
        const auto* group = call.all.groups.find(id);
        if (group && group->is_simple) {
            out.group_state = state_name(*group);
            continue;
        }
        out.group_state = "Dead";
        if (call.version() < 6) continue;
        out.error_code = broker_error::group_id_not_found;
        out.error_message = group ? "Group " + id + " is not a classic group." : "Group " + id + " not found.";
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
