// `strandline consume` as people run it: the real binary, against a real cluster.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "tests/live/child_process.hpp"
#include "tests/live/kafka_cluster.hpp"

namespace strandline::live {

using arguments = std::vector<std::string>;

struct tool_result {
    int status = 0;
    std::vector<std::string> lines;
    std::string errors;
    std::chrono::milliseconds took{};
};

// Starts `strandline consume -J -b BROKERS ARGUMENTS`; ends it when dropped.
std::unique_ptr<child_process> start_consume(const kafka_cluster& cluster, const arguments& given,
                                             bool collect_output = true);

// Waits for its end; throws not_in_time, with what it said, when it goes on.
tool_result finish(child_process& run, std::chrono::milliseconds timeout = std::chrono::seconds(30));

// SIGINT and wait.
tool_result interrupt(child_process& run, std::chrono::milliseconds timeout = std::chrono::seconds(15));

tool_result consume(const kafka_cluster& cluster, const arguments& given,
                    std::chrono::milliseconds timeout = std::chrono::seconds(30));

}  // namespace strandline::live
