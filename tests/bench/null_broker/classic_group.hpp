// The classic group protocol, for peers that speak nothing newer: every member is alone and the leader of its group.
#pragma once

#include <cstdint>
#include <optional>

#include "base/bytes.hpp"

namespace strandline::bench {

// `frame` without its length. Nothing: not one of JoinGroup, SyncGroup, Heartbeat and LeaveGroup, or not understood.
std::optional<base::shared_bytes> answer_classic_group(base::bytes_view frame);

}  // namespace strandline::bench
