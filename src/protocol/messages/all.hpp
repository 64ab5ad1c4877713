// Every message we speak, for those who must go through all of them. Others include the message they need.
#pragma once

#include "protocol/message_list.hpp"
#include "protocol/messages/add_offsets_to_txn.hpp"
#include "protocol/messages/add_partitions_to_txn.hpp"
#include "protocol/messages/api_versions.hpp"
#include "protocol/messages/consumer_group_describe.hpp"
#include "protocol/messages/consumer_group_heartbeat.hpp"
#include "protocol/messages/create_partitions.hpp"
#include "protocol/messages/create_topics.hpp"
#include "protocol/messages/delete_groups.hpp"
#include "protocol/messages/delete_records.hpp"
#include "protocol/messages/delete_topics.hpp"
#include "protocol/messages/describe_cluster.hpp"
#include "protocol/messages/describe_configs.hpp"
#include "protocol/messages/describe_groups.hpp"
#include "protocol/messages/describe_topic_partitions.hpp"
#include "protocol/messages/end_txn.hpp"
#include "protocol/messages/fetch.hpp"
#include "protocol/messages/find_coordinator.hpp"
#include "protocol/messages/incremental_alter_configs.hpp"
#include "protocol/messages/init_producer_id.hpp"
#include "protocol/messages/list_groups.hpp"
#include "protocol/messages/list_offsets.hpp"
#include "protocol/messages/metadata.hpp"
#include "protocol/messages/offset_commit.hpp"
#include "protocol/messages/offset_delete.hpp"
#include "protocol/messages/offset_fetch.hpp"
#include "protocol/messages/offset_for_leader_epoch.hpp"
#include "protocol/messages/produce.hpp"
#include "protocol/messages/txn_offset_commit.hpp"

namespace strandline::protocol::messages {

using all_requests =
    message_list<add_offsets_to_txn_request, add_partitions_to_txn_request, api_versions_request,
                 consumer_group_describe_request, consumer_group_heartbeat_request, create_partitions_request,
                 create_topics_request, delete_groups_request, delete_records_request, delete_topics_request,
                 describe_cluster_request, describe_configs_request, describe_groups_request,
                 describe_topic_partitions_request, end_txn_request, fetch_request, find_coordinator_request,
                 incremental_alter_configs_request, init_producer_id_request, list_groups_request, list_offsets_request,
                 metadata_request, offset_commit_request, offset_delete_request, offset_fetch_request,
                 offset_for_leader_epoch_request, produce_request, txn_offset_commit_request>;

}  // namespace strandline::protocol::messages
