// The answer of each API that carries one error wherever the answer has room for one.
#pragma once

#include "base/bytes.hpp"
#include "protocol/broker_error.hpp"
#include "protocol/header.hpp"
#include "testkit/fake_cluster/reply.hpp"

namespace strandline::testkit::fake {

// Nothing for an API that has no such answer or a body that cannot be read.
std::optional<any_response> error_answer(const protocol::request_header& header, const base::shared_bytes& body,
                                         protocol::broker_error error);

}  // namespace strandline::testkit::fake
