// What a view shows, as one number: for audits that ask whether anything changed. The same value in the same run gives
// the same number; nothing else is promised.
#pragma once

#include <cstdint>

#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_view.hpp"
#include "core/exchange/group_view.hpp"
#include "core/exchange/lifecycle_view.hpp"
#include "core/exchange/subscription_state.hpp"

namespace strandline::core::exchange {

std::uint64_t fingerprint(const cluster_view& shown);
std::uint64_t fingerprint(const coordinator_view& shown);
std::uint64_t fingerprint(const member_view& shown);
std::uint64_t fingerprint(const subscription_state& shown);
std::uint64_t fingerprint(const lifecycle_view& shown);
// Connections are asked of one by one: those of these brokers, and of the bootstrap servers.
std::uint64_t fingerprint(const connections_view& shown, const cluster_view& brokers, std::size_t bootstrap_servers);

}  // namespace strandline::core::exchange
