// The numbers of the protocol, each a type of its own.
#pragma once

#include <cstdint>

#include "base/strong.hpp"
#include "base/uuid.hpp"

namespace strandline::protocol {

using broker_id = base::strong<struct broker_id_tag, std::int32_t>;
using partition_index = base::strong<struct partition_index_tag, std::int32_t>;
using leader_epoch = base::strong<struct leader_epoch_tag, std::int32_t>;
using member_epoch = base::strong<struct member_epoch_tag, std::int32_t>;
using session_epoch = base::strong<struct session_epoch_tag, std::int32_t>;
using correlation_id = base::strong<struct correlation_id_tag, std::int32_t>;
using producer_id = base::strong<struct producer_id_tag, std::int64_t>;
using topic_id = base::uuid;

inline constexpr broker_id no_broker{-1};
inline constexpr leader_epoch no_leader_epoch{-1};

}  // namespace strandline::protocol
