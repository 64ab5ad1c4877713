// The broker that all tests of one program share, and names that keep them apart on it.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tests/live/kafka_cluster.hpp"

namespace strandline::live {

// Started at first use, ended with the program.
kafka_cluster& one_broker();

class one_broker_test : public testing::Test {
protected:
    kafka_cluster& cluster() { return one_broker(); }
    kafka_helper& kafka() { return one_broker().kafka(); }
    // Differs from test to test and from run to run of the same test.
    static std::string unique_name(const std::string& what);

public:
    std::string topic = unique_name("topic");
    std::string group = unique_name("group");
};

}  // namespace strandline::live
