// OffsetCommit as items and their results.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/bytes.hpp"
#include "base/instant.hpp"
#include "core/boundary/core_config.hpp"
#include "core/exchange/group_view.hpp"
#include "core/offsets/commit_item.hpp"
#include "protocol/any_request.hpp"
#include "protocol/broker_error.hpp"
#include "protocol/codec_error.hpp"

namespace strandline::core::offsets {

// Topics go by id from this version on, and by name before: then nothing tells a topic from an earlier one of its name.
inline constexpr std::int16_t first_offset_commit_by_id = 10;

// The member's epoch is stamped here. Without a member (assigned by hand, or not joined) it is none.
protocol::any_request make_offset_commit_request(const commit_items& items, const boundary::core_config& config,
                                                 const exchange::member_view& member, std::int16_t version);

struct offset_commit_answer {
    base::duration throttle{};
    std::map<topic_partition, protocol::broker_error> results;
};
// `items` are those of the request: answers by id are given their names back.
protocol::result<offset_commit_answer> read_offset_commit_response(const base::shared_bytes& body, std::int16_t version,
                                                                   const commit_items& items);

}  // namespace strandline::core::offsets
