#include "protocol/api_key.hpp"

namespace strandline::protocol {

std::string_view name(api_key key) noexcept {
    switch (key) {
        case api_key::produce: return "Produce";
        case api_key::fetch: return "Fetch";
        case api_key::list_offsets: return "ListOffsets";
        case api_key::metadata: return "Metadata";
        case api_key::leader_and_isr: return "LeaderAndIsr";
        case api_key::stop_replica: return "StopReplica";
        case api_key::update_metadata: return "UpdateMetadata";
        case api_key::controlled_shutdown: return "ControlledShutdown";
        case api_key::offset_commit: return "OffsetCommit";
        case api_key::offset_fetch: return "OffsetFetch";
        case api_key::find_coordinator: return "FindCoordinator";
        case api_key::join_group: return "JoinGroup";
        case api_key::heartbeat: return "Heartbeat";
        case api_key::leave_group: return "LeaveGroup";
        case api_key::sync_group: return "SyncGroup";
        case api_key::describe_groups: return "DescribeGroups";
        case api_key::list_groups: return "ListGroups";
        case api_key::sasl_handshake: return "SaslHandshake";
        case api_key::api_versions: return "ApiVersions";
        case api_key::create_topics: return "CreateTopics";
        case api_key::delete_topics: return "DeleteTopics";
        case api_key::delete_records: return "DeleteRecords";
        case api_key::init_producer_id: return "InitProducerId";
        case api_key::offset_for_leader_epoch: return "OffsetForLeaderEpoch";
        case api_key::add_partitions_to_txn: return "AddPartitionsToTxn";
        case api_key::add_offsets_to_txn: return "AddOffsetsToTxn";
        case api_key::end_txn: return "EndTxn";
        case api_key::write_txn_markers: return "WriteTxnMarkers";
        case api_key::txn_offset_commit: return "TxnOffsetCommit";
        case api_key::describe_acls: return "DescribeAcls";
        case api_key::create_acls: return "CreateAcls";
        case api_key::delete_acls: return "DeleteAcls";
        case api_key::describe_configs: return "DescribeConfigs";
        case api_key::alter_configs: return "AlterConfigs";
        case api_key::alter_replica_log_dirs: return "AlterReplicaLogDirs";
        case api_key::describe_log_dirs: return "DescribeLogDirs";
        case api_key::sasl_authenticate: return "SaslAuthenticate";
        case api_key::create_partitions: return "CreatePartitions";
        case api_key::create_delegation_token: return "CreateDelegationToken";
        case api_key::renew_delegation_token: return "RenewDelegationToken";
        case api_key::expire_delegation_token: return "ExpireDelegationToken";
        case api_key::describe_delegation_token: return "DescribeDelegationToken";
        case api_key::delete_groups: return "DeleteGroups";
        case api_key::elect_leaders: return "ElectLeaders";
        case api_key::incremental_alter_configs: return "IncrementalAlterConfigs";
        case api_key::alter_partition_reassignments: return "AlterPartitionReassignments";
        case api_key::list_partition_reassignments: return "ListPartitionReassignments";
        case api_key::offset_delete: return "OffsetDelete";
        case api_key::describe_client_quotas: return "DescribeClientQuotas";
        case api_key::alter_client_quotas: return "AlterClientQuotas";
        case api_key::describe_user_scram_credentials: return "DescribeUserScramCredentials";
        case api_key::alter_user_scram_credentials: return "AlterUserScramCredentials";
        case api_key::vote: return "Vote";
        case api_key::begin_quorum_epoch: return "BeginQuorumEpoch";
        case api_key::end_quorum_epoch: return "EndQuorumEpoch";
        case api_key::describe_quorum: return "DescribeQuorum";
        case api_key::alter_partition: return "AlterPartition";
        case api_key::update_features: return "UpdateFeatures";
        case api_key::envelope: return "Envelope";
        case api_key::fetch_snapshot: return "FetchSnapshot";
        case api_key::describe_cluster: return "DescribeCluster";
        case api_key::describe_producers: return "DescribeProducers";
        case api_key::broker_registration: return "BrokerRegistration";
        case api_key::broker_heartbeat: return "BrokerHeartbeat";
        case api_key::unregister_broker: return "UnregisterBroker";
        case api_key::describe_transactions: return "DescribeTransactions";
        case api_key::list_transactions: return "ListTransactions";
        case api_key::allocate_producer_ids: return "AllocateProducerIds";
        case api_key::consumer_group_heartbeat: return "ConsumerGroupHeartbeat";
        case api_key::consumer_group_describe: return "ConsumerGroupDescribe";
        case api_key::controller_registration: return "ControllerRegistration";
        case api_key::get_telemetry_subscriptions: return "GetTelemetrySubscriptions";
        case api_key::push_telemetry: return "PushTelemetry";
        case api_key::assign_replicas_to_dirs: return "AssignReplicasToDirs";
        case api_key::list_config_resources: return "ListConfigResources";
        case api_key::describe_topic_partitions: return "DescribeTopicPartitions";
        case api_key::share_group_heartbeat: return "ShareGroupHeartbeat";
        case api_key::share_group_describe: return "ShareGroupDescribe";
        case api_key::share_fetch: return "ShareFetch";
        case api_key::share_acknowledge: return "ShareAcknowledge";
        case api_key::add_raft_voter: return "AddRaftVoter";
        case api_key::remove_raft_voter: return "RemoveRaftVoter";
        case api_key::update_raft_voter: return "UpdateRaftVoter";
        case api_key::initialize_share_group_state: return "InitializeShareGroupState";
        case api_key::read_share_group_state: return "ReadShareGroupState";
        case api_key::write_share_group_state: return "WriteShareGroupState";
        case api_key::delete_share_group_state: return "DeleteShareGroupState";
        case api_key::read_share_group_state_summary: return "ReadShareGroupStateSummary";
        case api_key::streams_group_heartbeat: return "StreamsGroupHeartbeat";
        case api_key::streams_group_describe: return "StreamsGroupDescribe";
        case api_key::describe_share_group_offsets: return "DescribeShareGroupOffsets";
        case api_key::alter_share_group_offsets: return "AlterShareGroupOffsets";
        case api_key::delete_share_group_offsets: return "DeleteShareGroupOffsets";
        case api_key::streams_group_topology_description_update: return "StreamsGroupTopologyDescriptionUpdate";
        case api_key::unregister_controller: return "UnregisterController";
    }
    return "unknown";
}

std::ostream& operator<<(std::ostream& out, api_key key) {
    return out << name(key) << '(' << static_cast<int>(key) << ')';
}

}  // namespace strandline::protocol
