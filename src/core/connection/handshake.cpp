#include "core/connection/handshake.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "protocol/codec.hpp"
#include "protocol/messages/api_versions.hpp"
#include "protocol/reader.hpp"

namespace strandline::core::connection {

namespace {

using protocol::broker_error;
using protocol::messages::api_versions_request;
using protocol::messages::api_versions_response;

enum class progress : std::uint8_t { once_more, next_step };
using digested = tl::expected<progress, connection_failure>;

struct step_row {
    std::string_view name;
    handshake_request (*ask)(const handshake::state&);
    digested (*digest)(handshake::state&, const base::shared_bytes&);
};

tl::unexpected<connection_failure> failed(errc code, std::string what, bool rebootstrap = false) {
    return tl::unexpected(connection_failure{code, std::move(what), rebootstrap});
}

handshake_request ask_api_versions(const handshake::state& state) {
    api_versions_request request;
    request.client_software_name = state.who.software_name;
    request.client_software_version = state.who.software_version;
    if (state.who.cluster_id) {
        request.cluster_id = state.who.cluster_id;
        request.node_id = state.who.broker;
    }
    return {std::move(request), state.api_versions_version};
}

// The broker does not speak the version we asked with, and says in version 0 which ones it does.
digested retry_with_version_of(handshake::state& state, const base::shared_bytes& body) {
    if (std::exchange(state.version_was_refused, true)) {
        return failed(errc::unsupported_version, "the broker refuses every version of ApiVersions");
    }
    const auto refusal = protocol::decode<api_versions_response>(body, 0);
    if (!refusal) return failed(errc::malformed_response, refusal.error().to_string());
    const auto spoken = protocol::broker_api_versions(*refusal).find(protocol::api_key::api_versions);
    state.api_versions_version = spoken ? std::min(spoken->max, api_versions_request::max_version) : std::int16_t{0};
    if (spoken && state.api_versions_version < spoken->min) {
        return failed(errc::unsupported_version,
                      fmt::format("the broker speaks ApiVersions {} to {}, this client 0 to {}", spoken->min,
                                  spoken->max, api_versions_request::max_version));
    }
    return progress::once_more;
}

digested digest_api_versions(handshake::state& state, const base::shared_bytes& body) {
    // The error stands first in every version, and decides in which version the rest is written.
    protocol::reader start(body);
    if (broker_error(start.int16()) == broker_error::unsupported_version && !start.failed()) {
        return retry_with_version_of(state, body);
    }
    const auto answer = protocol::decode<api_versions_response>(body, state.api_versions_version);
    if (!answer) return failed(errc::malformed_response, answer.error().to_string());
    if (answer->error_code == broker_error::rebootstrap_required) {
        return failed(errc::wrong_cluster, "the broker is not the one that was advertised here", true);
    }
    if (answer->error_code != broker_error::none) {
        return failed(errc::broker_unreachable, "ApiVersions was refused: " + protocol::to_string(answer->error_code));
    }
    state.versions = protocol::broker_api_versions(*answer);
    return progress::next_step;
}

// Encryption comes before these rows, authentication after them.
constexpr std::array steps{
    step_row{"ApiVersions", ask_api_versions, digest_api_versions},
};

}  // namespace

handshake::handshake(client_identity who) {
    state_.who = std::move(who);
    state_.api_versions_version = api_versions_request::max_version;
}

bool handshake::is_done() const noexcept { return step_ == steps.size(); }

std::string_view handshake::step() const noexcept { return steps[step_].name; }

handshake_request handshake::next_request() const { return steps[step_].ask(state_); }

tl::expected<void, connection_failure> handshake::on_answer(const base::shared_bytes& body) {
    const auto next = steps[step_].digest(state_, body);
    if (!next) return tl::unexpected(next.error());
    if (*next == progress::next_step) ++step_;
    return {};
}

}  // namespace strandline::core::connection
