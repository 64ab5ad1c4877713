// ApiVersions (18), versions 0 to 5. 3 tells the client's software; 5 lets a broker notice that it is not whom the
// client means (KIP-1242).
#include <algorithm>
#include <string_view>

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

// Letters and digits, and between them also dots and dashes.
bool is_software_word(std::string_view word) {
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    return !word.empty() && is_plain(word.front()) && is_plain(word.back()) &&
           std::all_of(word.begin(), word.end(), [&](char c) { return is_plain(c) || c == '.' || c == '-'; });
}

broker_error check(const messages::api_versions_request& request, call& call) {
    if (call.version() >= 3 &&
        !(is_software_word(request.client_software_name) && is_software_word(request.client_software_version))) {
        return broker_error::invalid_request;
    }
    if (call.version() < 5) return broker_error::none;
    const bool names_broker = request.node_id.value() >= 0;
    if (request.cluster_id.has_value() != names_broker) return broker_error::invalid_request;
    const bool misrouted =
        names_broker && (*request.cluster_id != call.cluster().cluster_id() || request.node_id != call.broker.id);
    return misrouted ? broker_error::rebootstrap_required : broker_error::none;
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
    const auto error = check(request, call);
    if (error == broker_error::none) return reply::now(spoken());
    messages::api_versions_response response;
    response.error_code = error;
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
