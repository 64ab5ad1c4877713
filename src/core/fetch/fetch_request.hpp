// A step of a fetch session as the request that goes on the wire.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/instant.hpp"
#include "core/boundary/core_config.hpp"
#include "core/fetch/fetch_session.hpp"
#include "protocol/any_request.hpp"

namespace strandline::core::fetch {

// Topic ids stand in Fetch from version 13 on, and only if every topic of the session has one.
constexpr std::int16_t newest_version(bool by_id) noexcept { return by_id ? 18 : 12; }

struct fetch_limits {
    std::size_t max_bytes = 0;
    base::duration max_wait{};
    std::int32_t min_bytes = 1;
};

protocol::any_request make_fetch_request(const fetch_session_step& step, const fetch_limits& limits,
                                         const boundary::core_config& config);

}  // namespace strandline::core::fetch
