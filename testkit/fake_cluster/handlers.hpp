// Which APIs the cluster answers, in which versions, and who does it: one file per API, handle_<api>.cpp.
#pragma once

#include <optional>
#include <span>

#include "protocol/broker_error.hpp"
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
#include "testkit/fake_cluster/call.hpp"
#include "testkit/fake_cluster/reply.hpp"

namespace strandline::testkit::fake {

namespace messages = protocol::messages;

reply handle(const messages::api_versions_request& request, call& call);
reply handle(const messages::metadata_request& request, call& call);
reply handle(const messages::find_coordinator_request& request, call& call);
reply handle(const messages::produce_request& request, call& call);
reply handle(const messages::fetch_request& request, call& call);
reply handle(const messages::list_offsets_request& request, call& call);
reply handle(const messages::offset_for_leader_epoch_request& request, call& call);
reply handle(const messages::consumer_group_heartbeat_request& request, call& call);
reply handle(const messages::offset_commit_request& request, call& call);
reply handle(const messages::offset_fetch_request& request, call& call);
reply handle(const messages::describe_groups_request& request, call& call);
reply handle(const messages::list_groups_request& request, call& call);
reply handle(const messages::create_topics_request& request, call& call);
reply handle(const messages::delete_topics_request& request, call& call);
reply handle(const messages::delete_records_request& request, call& call);
reply handle(const messages::init_producer_id_request& request, call& call);
reply handle(const messages::add_partitions_to_txn_request& request, call& call);
reply handle(const messages::add_offsets_to_txn_request& request, call& call);
reply handle(const messages::end_txn_request& request, call& call);
reply handle(const messages::txn_offset_commit_request& request, call& call);
reply handle(const messages::describe_configs_request& request, call& call);
reply handle(const messages::create_partitions_request& request, call& call);
reply handle(const messages::delete_groups_request& request, call& call);
reply handle(const messages::incremental_alter_configs_request& request, call& call);
reply handle(const messages::offset_delete_request& request, call& call);
reply handle(const messages::describe_cluster_request& request, call& call);
reply handle(const messages::consumer_group_describe_request& request, call& call);
reply handle(const messages::describe_topic_partitions_request& request, call& call);

struct handler {
    protocol::api_key api;
    std::int16_t min_version;
    std::int16_t max_version;
    // An undecodable body is an error; the connection is closed then, as a broker does.
    protocol::result<reply> (*answer)(const base::shared_bytes& body, call& call);
    // The answer with an error wherever it has one, when a test wants the request to fail.
    std::optional<any_response> (*fail)(const base::shared_bytes& body, std::int16_t version,
                                        protocol::broker_error error);
};

std::span<const handler> all_handlers() noexcept;
const handler* find_handler(protocol::api_key api) noexcept;

}  // namespace strandline::testkit::fake
