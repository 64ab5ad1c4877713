// The parts of requests and answers that checkers look at, read from the messages themselves.
#pragma once

#include "base/bytes.hpp"
#include "protocol/any_request.hpp"
#include "testkit/simulator/checkers/observation.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim {

observed::request_content content_of(const protocol::any_request& request, const truth& directory);
observed::answer_content answer_of(protocol::api_key api, std::int16_t version, const base::shared_bytes& body,
                                   const truth& directory);

}  // namespace strandline::testkit::sim
