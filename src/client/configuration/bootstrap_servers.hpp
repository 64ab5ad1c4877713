// "host:port,host:port", read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/boundary/core_config.hpp"

namespace strandline::client::configuration {

// The error says what is wrong with which of them. Literal IPv6 addresses stand in brackets.
tl::expected<std::vector<core::boundary::host_port>, std::string> read_bootstrap_servers(std::string_view text);

}  // namespace strandline::client::configuration
