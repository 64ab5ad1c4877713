// Which APIs the cluster answers, in which versions, and who does it: one file per API, handle_<api>.cpp.
#pragma once

#include <span>

#include "protocol/messages/api_versions.hpp"
#include "protocol/messages/consumer_group_heartbeat.hpp"
#include "protocol/messages/fetch.hpp"
#include "protocol/messages/find_coordinator.hpp"
#include "protocol/messages/list_offsets.hpp"
#include "protocol/messages/metadata.hpp"
#include "protocol/messages/offset_commit.hpp"
#include "protocol/messages/offset_fetch.hpp"
#include "protocol/messages/offset_for_leader_epoch.hpp"
#include "protocol/messages/produce.hpp"
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

struct handler {
    protocol::api_key api;
    std::int16_t min_version;
    std::int16_t max_version;
    // An undecodable body is an error; the connection is closed then, as a broker does.
    protocol::result<reply> (*answer)(const base::shared_bytes& body, call& call);
};

std::span<const handler> all_handlers() noexcept;
const handler* find_handler(protocol::api_key api) noexcept;

}  // namespace strandline::testkit::fake
