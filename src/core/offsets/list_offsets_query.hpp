// ListOffsets as questions and answers about single partitions; used for resets and for the application's look-ups.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <strandline/topic_partition.hpp>

#include "base/bytes.hpp"
#include "base/instant.hpp"
#include "core/boundary/core_config.hpp"
#include "protocol/any_request.hpp"
#include "protocol/broker_error.hpp"
#include "protocol/codec_error.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::offsets {

struct list_offsets_question {
    topic_partition partition;
    protocol::leader_epoch leader_epoch{-1};  // as known; a leader of another epoch refuses
    std::int64_t timestamp = 0;               // milliseconds, or command::list_offsets::latest or earliest
};

struct list_offsets_finding {
    protocol::broker_error failure{};
    std::int64_t offset = -1;  // -1: nothing is as young as the timestamp
    std::int64_t timestamp = -1;
    protocol::leader_epoch leader_epoch{-1};
};

struct list_offsets_answer {
    base::duration throttle{};
    std::map<topic_partition, list_offsets_finding> found;
};

protocol::any_request make_list_offsets_request(const std::vector<list_offsets_question>& questions,
                                                boundary::isolation_level isolation, base::duration timeout,
                                                std::int16_t version);
protocol::result<list_offsets_answer> read_list_offsets_response(const base::shared_bytes& body, std::int16_t version);

}  // namespace strandline::core::offsets
