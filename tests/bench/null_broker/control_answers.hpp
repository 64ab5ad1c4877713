// Answers to everything but Fetch and the classic group protocol: of whichever version is asked.
#pragma once

#include <optional>

#include "base/bytes.hpp"
#include "protocol/header.hpp"
#include "tests/bench/null_broker/served_cluster.hpp"

namespace strandline::bench {

// The whole frame of the answer; nothing when the request cannot be understood, which ends the connection.
std::optional<base::shared_bytes> answer_control(const protocol::headed<protocol::request_header>& request,
                                                 const served_cluster& cluster);

}  // namespace strandline::bench
