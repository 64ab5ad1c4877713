// What the null broker pretends to be: one node, one topic.
#pragma once

#include <cstdint>
#include <string>

#include "base/uuid.hpp"

namespace strandline::bench {

inline constexpr const char* served_topic = "bench";
inline constexpr base::uuid served_topic_id{
    {0x62, 0x65, 0x6e, 0x63, 0x68, 0x00, 0x40, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01}};

struct served_cluster {
    std::int32_t port = 0;
    std::int32_t partitions = 8;
    std::int64_t end_offset = 0;        // of partition 0 when paced, of all otherwise
    std::int64_t committed_offset = 0;  // where a group begins
    bool has_coordinator = true;
    bool answers_heartbeats = true;  // but for those that join: these are always answered
};

}  // namespace strandline::bench
