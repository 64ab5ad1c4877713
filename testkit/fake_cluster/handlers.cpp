#include "testkit/fake_cluster/handlers.hpp"

#include <algorithm>
#include <array>

#include "protocol/codec.hpp"

namespace strandline::testkit::fake {

namespace {

template <class Request>
protocol::result<reply> decode_and_handle(const base::shared_bytes& body, call& call) {
    auto request = protocol::decode<Request>(body, call.version());
    if (!request) return tl::unexpected(request.error());
    return handle(*request, call);
}

template <class Request>
constexpr handler handler_of(std::int16_t min = Request::min_version, std::int16_t max = Request::max_version) {
    return {Request::key, min, max, &decode_and_handle<Request>};
}

constexpr std::array handlers{
    handler_of<messages::produce_request>(),
    handler_of<messages::fetch_request>(),
    handler_of<messages::list_offsets_request>(),
    handler_of<messages::metadata_request>(),
    handler_of<messages::offset_commit_request>(),
    handler_of<messages::offset_fetch_request>(),
    handler_of<messages::find_coordinator_request>(),
    handler_of<messages::api_versions_request>(),
    handler_of<messages::offset_for_leader_epoch_request>(),
    handler_of<messages::consumer_group_heartbeat_request>(),
};

}  // namespace

std::span<const handler> all_handlers() noexcept { return handlers; }

const handler* find_handler(protocol::api_key api) noexcept {
    const auto found =
        std::find_if(handlers.begin(), handlers.end(), [&](const handler& one) { return one.api == api; });
    return found == handlers.end() ? nullptr : &*found;
}

}  // namespace strandline::testkit::fake
