// One cluster a program.
#include "tests/live/one_broker.hpp"

#include <cerrno>

namespace strandline::live {

kafka_cluster& one_broker() {
    static kafka_cluster cluster({.name = std::string(program_invocation_short_name) + "-one-broker"});
    return cluster;
}

std::string one_broker_test::unique_name(const std::string& what) {
    static int made = 0;
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    return std::string(test->name()).substr(0, 60) + "." + what + std::to_string(++made);
}

}  // namespace strandline::live
