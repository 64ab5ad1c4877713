// OffsetForLeaderEpoch as questions and answers about single partitions: where did the log of an epoch end (KIP-320)?
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <strandline/topic_partition.hpp>

#include "base/bytes.hpp"
#include "base/instant.hpp"
#include "protocol/any_request.hpp"
#include "protocol/broker_error.hpp"
#include "protocol/codec_error.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::offsets {

struct leader_epoch_question {
    topic_partition partition;
    protocol::leader_epoch current_leader_epoch{-1};
    protocol::leader_epoch position_epoch{-1};
};

struct leader_epoch_finding {
    protocol::broker_error failure{};
    protocol::leader_epoch epoch{-1};  // the newest epoch up to the one asked for; -1: the leader knows none
    std::int64_t end_offset = -1;      // where it ended; -1: the leader does not know

    bool is_known() const noexcept { return epoch != protocol::no_leader_epoch && end_offset >= 0; }
};

struct leader_epoch_answer {
    base::duration throttle{};
    std::map<topic_partition, leader_epoch_finding> found;
};

protocol::any_request make_leader_epoch_request(const std::vector<leader_epoch_question>& questions);
protocol::result<leader_epoch_answer> read_leader_epoch_response(const base::shared_bytes& body, std::int16_t version);

}  // namespace strandline::core::offsets
