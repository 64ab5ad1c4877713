// ApiVersions (18), versions 0 to 5. 3 tells the client's software; 5 lets a broker notice that it is not whom the
// client means (KIP-1242).
#include "testkit/fake_cluster/api_versions_answer.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

messages::api_versions_response spoken() {
    messages::api_versions_response response;
    for (const auto& one : all_handlers()) {
        response.api_keys.push_back(
            {.api_key = one.api, .min_version = one.min_version, .max_version = one.max_version});
    }
    // What a fresh 4.4.0 has finalised, of what clients look at.
    const auto feature = [&](const char* name, std::int16_t level) {
        response.supported_features.push_back({.name = name, .min_version = 0, .max_version = level});
        response.finalized_features.push_back({.name = name, .max_version_level = level, .min_version_level = level});
    };
    feature("group.version", 1);
    feature("transaction.version", 2);
    response.finalized_features_epoch = 1;
    return response;
}

}  // namespace

any_response unsupported_api_versions() {
    messages::api_versions_response response;
    response.error_code = broker_error::unsupported_version;
    const auto* self = find_handler(protocol::api_key::api_versions);
    response.api_keys.push_back(
        {.api_key = self->api, .min_version = self->min_version, .max_version = self->max_version});
    return response;
}

reply handle(const messages::api_versions_request& request, call& call) {
    auto response = spoken();
    const bool misrouted = (request.cluster_id && *request.cluster_id != call.cluster().cluster_id()) ||
                           (request.node_id.value() >= 0 && request.node_id != call.broker.id);
    if (call.version() >= 5 && misrouted) {
        response = {};
        response.error_code = broker_error::rebootstrap_required;
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
