// A request of any API as a step holds it: built when its turn comes, its answer read as JSON.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include <boost/json.hpp>

#include "base/bytes.hpp"
#include "protocol/any_request.hpp"
#include "protocol/api_key.hpp"
#include "tests/conformance/broker/known.hpp"

namespace strandline::conformance::broker {

class question {
public:
    // The same request on every cluster.
    template <protocol::request_message Request>
    question(Request request)  // NOLINT: a step is written with the request itself
        : question([request = std::move(request)](const known&) { return request; }) {}

    // One that needs what earlier answers gave.
    template <std::invocable<const known&> Build>
    question(Build build)  // NOLINT: as above
        : key_(std::invoke_result_t<Build, const known&>::key),
          build_([build = std::move(build)](const known& facts) { return protocol::any_request(build(facts)); }) {}

    protocol::api_key key() const noexcept { return key_; }
    protocol::any_request build(const known& facts) const { return build_(facts); }

private:
    protocol::api_key key_;
    std::function<protocol::any_request(const known&)> build_;
};

// The body of an answer, with the records in it told one by one.
boost::json::value read_answer(protocol::api_key key, std::int16_t version, const base::shared_bytes& body);

}  // namespace strandline::conformance::broker
