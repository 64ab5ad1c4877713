// ListGroups (16), versions 0 to 5: those that this broker coordinates. 4 filters by state, 5 by type.
#include <algorithm>

#include "testkit/fake_cluster/group_check.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

bool passes(const std::vector<std::string>& filter, std::string_view value) {
    const auto same = [&](const std::string& wanted) {
        return std::equal(wanted.begin(), wanted.end(), value.begin(), value.end(), [](char a, char b) {
            const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
            return lower(a) == lower(b);
        });
    };
    return filter.empty() || std::any_of(filter.begin(), filter.end(), same);
}

}  // namespace

reply handle(const messages::list_groups_request& request, call& call) {
    messages::list_groups_response response;
    for (const auto& [id, group] : call.all.groups.all()) {
        if (check_coordinator(call, id) != broker_error::none) continue;
        messages::list_groups_response::listed_group shown;
        shown.group_id = id;
        shown.protocol_type = group.is_simple ? "" : "consumer";
        shown.group_state = state_name(group);
        shown.group_type = group.is_simple ? "classic" : "consumer";
        if (passes(request.states_filter, shown.group_state) && passes(request.types_filter, shown.group_type)) {
            response.groups.push_back(std::move(shown));
        }
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
