// What leaders answer to ListOffsets, for tests of those who ask.
#pragma once

#include <cstdint>

#include "core/exchange/request.hpp"
#include "protocol/messages/list_offsets.hpp"

namespace strandline::core::offsets::test {

// The same about every partition that was asked for.
inline protocol::messages::list_offsets_response list_offsets_answer(const exchange::outbound_request& request,
                                                                     std::int64_t offset, std::int64_t timestamp,
                                                                     std::int32_t epoch,
                                                                     protocol::broker_error failure) {
    protocol::messages::list_offsets_response response;
    for (const auto& topic : request.body.get_if<protocol::messages::list_offsets_request>()->topics) {
        auto& answered = response.topics.emplace_back();
        answered.name = topic.name;
        for (const auto& partition : topic.partitions) {
            answered.partitions.push_back(
                {partition.partition_index, failure, timestamp, offset, protocol::leader_epoch(epoch), {}});
        }
    }
    return response;
}

}  // namespace strandline::core::offsets::test
