// Where the configs of a resource that a request names are kept.
#pragma once

#include <string>

#include "protocol/broker_error.hpp"
#include "testkit/fake_cluster/call.hpp"
#include "testkit/fake_cluster/config_catalogue.hpp"

namespace strandline::testkit::fake {

struct found_configs {
    protocol::broker_error error = protocol::broker_error::none;
    std::string message;
    config_map* set = nullptr;  // if there is no error
};

// An empty name of a broker means the defaults of all of them.
found_configs find_configs(std::int8_t resource_type, const std::string& name, call& call);

}  // namespace strandline::testkit::fake
