// What a broker answers about the group, as an error for the application.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <strandline/error.hpp>

#include "protocol/broker_error.hpp"

namespace strandline::core::group {

// "joining group billing: GROUP_AUTHORIZATION_FAILED(30): not authorised ... (broker: ...)". The code is Kafka's.
error group_error(protocol::broker_error code, const std::optional<std::string>& told, std::string_view doing,
                  const std::string& group_id, error::traits how);

}  // namespace strandline::core::group
