// DeleteGroups (42), versions 0 to 3. 3 has messages.
#include "testkit/fake_cluster/group_check.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

reply handle(const messages::delete_groups_request& request, call& call) {
    auto& groups = call.all.groups;
    messages::delete_groups_response response;
    for (const auto& id : request.groups_names) {
        auto& out = response.results.emplace_back();
        out.group_id = id;
        out.error_code = check_coordinator(call, id);
        if (out.error_code != broker_error::none) continue;
        const auto* group = groups.find(id);
        if (!group) {
            out.error_code = broker_error::group_id_not_found;
            out.error_message = "Group " + id + " not found.";
        } else if (!group->members.empty()) {
            out.error_code = broker_error::non_empty_group;
            out.error_message = "The group is not empty.";
        } else {
            groups.all().erase(id);
        }
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
