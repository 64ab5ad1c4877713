// Why an address could not be used, in words for the person who configured it.
#pragma once

#include <string>

#include <strandline/error.hpp>

#include "protocol/frame.hpp"

namespace strandline::core::connection {

struct address_failure {
    std::string address;  // "localhost:9092", as it was configured or advertised
    errc code = errc::broker_unreachable;
    std::string what;  // "Connection refused (127.0.0.1)"
    friend bool operator==(const address_failure&, const address_failure&) = default;
};

// Why a connection ended.
struct connection_failure {
    errc code = errc::broker_unreachable;
    std::string what;
    bool rebootstrap = false;  // the broker asked for it
};

// What the beginning of a stream that is not Kafka's says about the peer.
connection_failure failure_of(const protocol::frame_error& error, bool before_first_answer);

}  // namespace strandline::core::connection
