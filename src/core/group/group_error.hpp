// What a broker answers about the group, as an error for the application.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <strandline/error.hpp>

#include "protocol/broker_error.hpp"

namespace strandline::core::group {

// Trouble with Kafka's own code: "membership of group billing: TOPIC_AUTHORIZATION_FAILED(29): ...".
error group_error(protocol::broker_error code, const std::optional<std::string>& told, std::string_view doing,
                  const std::string& group_id, error::traits how);
// A refusal for good, fatal_group_error, with the same words.
error group_refusal(protocol::broker_error code, const std::optional<std::string>& told, std::string_view doing,
                    const std::string& group_id);

}  // namespace strandline::core::group
