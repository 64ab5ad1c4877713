// What a broker says against a topic, as errors for the application.
#pragma once

#include <string>

#include <strandline/error.hpp>

#include "protocol/broker_error.hpp"

namespace strandline::core::cluster {

error topic_error(const std::string& topic, protocol::broker_error failure);
error topic_not_found(const std::string& topic);

}  // namespace strandline::core::cluster
