// Managers and their reasons in words.
#pragma once

#include <string>
#include <string_view>

#include "base/instant.hpp"
#include "core/boundary/network_snapshot.hpp"
#include "core/kernel/agenda.hpp"
#include "core/kernel/plan.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::explain {

// "group membership".
std::string_view manager_name(kernel::manager_index manager) noexcept;
// "awaits a connection to broker 3".
std::string wait_words(kernel::reason why);
// "broker 3", "a bootstrap server".
std::string broker_name(protocol::broker_id broker);
// "broker 3 (kafka-3:9092)", "bootstrap server localhost:9092".
std::string broker_name(protocol::broker_id broker, const boundary::network_snapshot& network);
// "12.3 s".
std::string seconds(base::duration time);

}  // namespace strandline::core::explain
