// Addresses as people write them.
#pragma once

#include <string>

#include <fmt/format.h>

#include "core/boundary/core_config.hpp"

namespace strandline::core::connection {

inline std::string to_string(const boundary::host_port& address) {
    const bool needs_brackets = address.host.find(':') != std::string::npos && address.host.front() != '[';
    return needs_brackets ? fmt::format("[{}]:{}", address.host, address.port)
                          : fmt::format("{}:{}", address.host, address.port);
}

}  // namespace strandline::core::connection
