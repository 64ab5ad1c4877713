#include "testkit/simulator/answer_errors.hpp"

#include <array>

namespace strandline::testkit::sim {

namespace {

using protocol::api_key;
using enum protocol::broker_error;

constexpr bool for_good = true;

constexpr std::array errors{
    answer_error{api_key::api_versions, unknown_server_error},
    answer_error{api_key::metadata, unknown_server_error},
    answer_error{api_key::metadata, unknown_topic_or_partition},
    answer_error{api_key::metadata, leader_not_available},
    answer_error{api_key::metadata, topic_authorization_failed},
    answer_error{api_key::find_coordinator, unknown_server_error},
    answer_error{api_key::find_coordinator, coordinator_load_in_progress},
    answer_error{api_key::find_coordinator, coordinator_not_available},
    answer_error{api_key::find_coordinator, group_authorization_failed, for_good},
    answer_error{api_key::consumer_group_heartbeat, unknown_server_error, for_good},
    answer_error{api_key::consumer_group_heartbeat, coordinator_load_in_progress},
    answer_error{api_key::consumer_group_heartbeat, coordinator_not_available},
    answer_error{api_key::consumer_group_heartbeat, not_coordinator},
    answer_error{api_key::consumer_group_heartbeat, unknown_member_id},
    answer_error{api_key::consumer_group_heartbeat, fenced_member_epoch},
    answer_error{api_key::consumer_group_heartbeat, group_max_size_reached, for_good},
    answer_error{api_key::consumer_group_heartbeat, group_authorization_failed, for_good},
    answer_error{api_key::consumer_group_heartbeat, unsupported_assignor, for_good},
    answer_error{api_key::consumer_group_heartbeat, invalid_request, for_good},
    answer_error{api_key::offset_commit, unknown_server_error},
    answer_error{api_key::offset_commit, unknown_topic_or_partition},
    answer_error{api_key::offset_commit, unknown_topic_id},
    answer_error{api_key::offset_commit, coordinator_load_in_progress},
    answer_error{api_key::offset_commit, coordinator_not_available},
    answer_error{api_key::offset_commit, not_coordinator},
    answer_error{api_key::offset_commit, request_timed_out},
    answer_error{api_key::offset_commit, stale_member_epoch},
    answer_error{api_key::offset_commit, unknown_member_id},
    answer_error{api_key::offset_commit, topic_authorization_failed},
    answer_error{api_key::offset_commit, group_authorization_failed},
    answer_error{api_key::offset_commit, invalid_commit_offset_size},
    answer_error{api_key::offset_fetch, coordinator_load_in_progress},
    answer_error{api_key::offset_fetch, coordinator_not_available},
    answer_error{api_key::offset_fetch, not_coordinator},
    answer_error{api_key::offset_fetch, stale_member_epoch},
    answer_error{api_key::offset_fetch, unknown_member_id},
    answer_error{api_key::offset_fetch, unstable_offset_commit},
    answer_error{api_key::list_offsets, unknown_server_error},
    answer_error{api_key::list_offsets, unknown_topic_or_partition},
    answer_error{api_key::list_offsets, leader_not_available},
    answer_error{api_key::list_offsets, not_leader_or_follower},
    answer_error{api_key::list_offsets, replica_not_available},
    answer_error{api_key::list_offsets, kafka_storage_error},
    answer_error{api_key::list_offsets, fenced_leader_epoch},
    answer_error{api_key::list_offsets, unknown_leader_epoch},
    answer_error{api_key::list_offsets, offset_not_available},
    answer_error{api_key::offset_for_leader_epoch, unknown_server_error},
    answer_error{api_key::offset_for_leader_epoch, unknown_topic_or_partition},
    answer_error{api_key::offset_for_leader_epoch, not_leader_or_follower},
    answer_error{api_key::offset_for_leader_epoch, replica_not_available},
    answer_error{api_key::offset_for_leader_epoch, kafka_storage_error},
    answer_error{api_key::offset_for_leader_epoch, fenced_leader_epoch},
    answer_error{api_key::offset_for_leader_epoch, unknown_leader_epoch},
    answer_error{api_key::fetch, unknown_server_error},
    answer_error{api_key::fetch, unknown_topic_or_partition},
    answer_error{api_key::fetch, unknown_topic_id},
    answer_error{api_key::fetch, inconsistent_topic_id},
    answer_error{api_key::fetch, not_leader_or_follower},
    answer_error{api_key::fetch, replica_not_available},
    answer_error{api_key::fetch, kafka_storage_error},
    answer_error{api_key::fetch, fenced_leader_epoch},
    answer_error{api_key::fetch, unknown_leader_epoch},
    answer_error{api_key::fetch, offset_not_available},
    answer_error{api_key::fetch, fetch_session_id_not_found},
    answer_error{api_key::fetch, invalid_fetch_session_epoch},
    answer_error{api_key::fetch, fetch_session_topic_id_error},
    answer_error{api_key::fetch, topic_authorization_failed},
};

// Those after which nobody asks any more come last.
constexpr std::array seldom{
    answer_error{api_key::api_versions, unsupported_version},
    answer_error{api_key::api_versions, rebootstrap_required},
    answer_error{api_key::metadata, unknown_topic_id},
    answer_error{api_key::consumer_group_heartbeat, topic_authorization_failed},
    answer_error{api_key::fetch, leader_not_available},
    answer_error{api_key::offset_for_leader_epoch, leader_not_available},
    answer_error{api_key::offset_fetch, group_authorization_failed},
    answer_error{api_key::offset_commit, group_id_not_found},
    answer_error{api_key::offset_commit, offset_metadata_too_large},
    answer_error{api_key::list_offsets, topic_authorization_failed},
    answer_error{api_key::offset_for_leader_epoch, topic_authorization_failed},
    answer_error{api_key::consumer_group_heartbeat, group_id_not_found, for_good},
    answer_error{api_key::consumer_group_heartbeat, fenced_instance_id, for_good},
    answer_error{api_key::consumer_group_heartbeat, invalid_regular_expression, for_good},
    answer_error{api_key::consumer_group_heartbeat, unsupported_version, for_good},
};

constexpr std::array of_its_own{
    answer_error{api_key::fetch, offset_out_of_range},
    answer_error{api_key::consumer_group_heartbeat, unreleased_instance_id},
    answer_error{api_key::offset_fetch, unknown_topic_id},
};

}  // namespace

std::span<const answer_error> answer_errors() noexcept { return errors; }
std::span<const answer_error> seldom_errors() noexcept { return seldom; }
std::span<const answer_error> own_errors() noexcept { return of_its_own; }

}  // namespace strandline::testkit::sim
