#include "testkit/fake_cluster/handlers.hpp"

#include <algorithm>
#include <array>

#include "protocol/codec.hpp"
#include "testkit/fake_cluster/failed_answer.hpp"

namespace strandline::testkit::fake {

namespace {

template <class Request>
protocol::result<reply> decode_and_handle(const base::shared_bytes& body, call& call) {
    auto request = protocol::decode<Request>(body, call.version());
    if (!request) return tl::unexpected(request.error());
    return handle(*request, call);
}

template <class Request>
std::optional<any_response> decode_and_fail(const base::shared_bytes& body, std::int16_t version,
                                            protocol::broker_error error) {
    const auto request = protocol::decode<Request>(body, version);
    if (!request) return std::nullopt;
    return any_response(failed_answer(*request, version, error));
}

template <class Request>
constexpr handler handler_of(std::int16_t min = Request::min_version, std::int16_t max = Request::max_version) {
    return {Request::key, min, max, &decode_and_handle<Request>, &decode_and_fail<Request>};
}

constexpr std::array handlers{
    handler_of<messages::produce_request>(),
    handler_of<messages::fetch_request>(),
    handler_of<messages::list_offsets_request>(),
    handler_of<messages::metadata_request>(),
    handler_of<messages::offset_commit_request>(),
    handler_of<messages::offset_fetch_request>(),
    handler_of<messages::find_coordinator_request>(),
    handler_of<messages::describe_groups_request>(),
    handler_of<messages::list_groups_request>(),
    handler_of<messages::api_versions_request>(),
    handler_of<messages::create_topics_request>(),
    handler_of<messages::delete_topics_request>(),
    handler_of<messages::delete_records_request>(),
    handler_of<messages::init_producer_id_request>(),
    handler_of<messages::offset_for_leader_epoch_request>(),
    handler_of<messages::add_partitions_to_txn_request>(),
    handler_of<messages::add_offsets_to_txn_request>(),
    handler_of<messages::end_txn_request>(),
    handler_of<messages::txn_offset_commit_request>(),
    handler_of<messages::describe_configs_request>(),
    handler_of<messages::create_partitions_request>(),
    handler_of<messages::delete_groups_request>(),
    handler_of<messages::incremental_alter_configs_request>(),
    handler_of<messages::offset_delete_request>(),
    handler_of<messages::describe_cluster_request>(),
    handler_of<messages::consumer_group_heartbeat_request>(),
    handler_of<messages::consumer_group_describe_request>(),
    handler_of<messages::describe_topic_partitions_request>(),
};

}  // namespace

std::span<const handler> all_handlers() noexcept { return handlers; }

const handler* find_handler(protocol::api_key api) noexcept {
    const auto found =
        std::find_if(handlers.begin(), handlers.end(), [&](const handler& one) { return one.api == api; });
    return found == handlers.end() ? nullptr : &*found;
}

}  // namespace strandline::testkit::fake
