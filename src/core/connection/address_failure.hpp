// Why an address could not be used, in words for the person who configured it.
#pragma once

#include <string>

#include <strandline/error.hpp>

namespace strandline::core::connection {

struct address_failure {
    std::string address;  // "localhost:9092", as it was configured or advertised
    errc code = errc::broker_unreachable;
    std::string what;  // "connection refused (127.0.0.1)"
    friend bool operator==(const address_failure&, const address_failure&) = default;
};

}  // namespace strandline::core::connection
