#include "core/group/consumer/heartbeat_reaction.hpp"

namespace strandline::core::group::consumer {

heartbeat_reaction reaction_to(protocol::broker_error error) noexcept {
    using enum protocol::broker_error;
    using enum heartbeat_reaction;
    switch (error) {
        case not_coordinator:
        case coordinator_not_available: return find_coordinator;
        case fenced_member_epoch:
        case unknown_member_id: return rejoin;
        case topic_authorization_failed: return report;
        // Passing in general, but not here: the group has become another kind, or was deleted under the member.
        case group_id_not_found:
        case unreleased_instance_id:
        case fenced_instance_id:
        case group_authorization_failed:
        case group_max_size_reached:
        case invalid_request:
        case invalid_regular_expression:
        case unsupported_assignor:
        case unsupported_version: return give_up;
        default: return is_retriable(error) ? back_off : give_up;
    }
}

}  // namespace strandline::core::group::consumer
