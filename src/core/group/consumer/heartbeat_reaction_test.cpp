#include "core/group/consumer/heartbeat_reaction.hpp"

#include <set>

#include <gtest/gtest.h>

namespace strandline::core::group::consumer {
namespace {

using enum protocol::broker_error;
using enum heartbeat_reaction;

TEST(heartbeat_reaction, finds_the_coordinator_when_it_has_moved) {
    for (const auto error : {not_coordinator, coordinator_not_available}) {
        EXPECT_EQ(reaction_to(error), find_coordinator) << error;
    }
}

TEST(heartbeat_reaction, joins_again_when_the_group_has_forgotten_the_member) {
    for (const auto error : {fenced_member_epoch, unknown_member_id}) EXPECT_EQ(reaction_to(error), rejoin) << error;
}

TEST(heartbeat_reaction, waits_for_a_coordinator_that_is_loading_and_for_anything_else_that_passes) {
    for (const auto error : {coordinator_load_in_progress, request_timed_out, network_exception}) {
        EXPECT_EQ(reaction_to(error), back_off) << error;
    }
}

TEST(heartbeat_reaction, tells_the_application_what_it_can_mend) {
    EXPECT_EQ(reaction_to(topic_authorization_failed), report);
}

TEST(heartbeat_reaction, gives_up_what_the_group_will_never_take) {
    for (const auto error :
         {group_authorization_failed, invalid_request, group_max_size_reached, unsupported_assignor,
          invalid_regular_expression, unsupported_version, unreleased_instance_id, fenced_instance_id,
          group_id_not_found, unknown_server_error, static_cast<protocol::broker_error>(30'000)}) {
        EXPECT_EQ(reaction_to(error), give_up) << error;
    }
}

}  // namespace
}  // namespace strandline::core::group::consumer
