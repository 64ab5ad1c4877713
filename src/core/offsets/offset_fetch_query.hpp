// OffsetFetch as partitions asked about and what the group has committed of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <strandline/offsets.hpp>

#include "base/bytes.hpp"
#include "base/instant.hpp"
#include "core/boundary/core_config.hpp"
#include "core/exchange/group_view.hpp"
#include "protocol/any_request.hpp"
#include "protocol/broker_error.hpp"
#include "protocol/codec_error.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::offsets {

inline constexpr std::int16_t first_offset_fetch_by_id = 10;

struct committed_question {
    topic_partition partition;
    protocol::topic_id topic_id{};
};

struct committed_finding {
    protocol::broker_error failure{};
    std::optional<offset_and_metadata> committed;  // none: the group has no offset there
};

struct committed_answer {
    base::duration throttle{};
    protocol::broker_error failure{};  // of all of it
    std::map<topic_partition, committed_finding> found;
};

// Asks for stable offsets: those of a transaction that is still open are refused (KIP-447), not passed over.
protocol::any_request make_offset_fetch_request(const std::vector<committed_question>& questions,
                                                const boundary::core_config& config,
                                                const exchange::member_view& member, std::int16_t version);
protocol::result<committed_answer> read_offset_fetch_response(const base::shared_bytes& body, std::int16_t version,
                                                              const std::vector<committed_question>& questions);

}  // namespace strandline::core::offsets
