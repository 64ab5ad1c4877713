// What the tool's system tests have in common: topics with numbered records, and how many of them were committed.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <strandline/testkit/fake_cluster.hpp>

#include "tests/system/tool_process.hpp"

namespace strandline::system_tests {

using arguments = std::vector<std::string>;

inline std::vector<testkit::fake_record> numbered(int from, int count, const std::string& padding = {}) {
    std::vector<testkit::fake_record> records;
    for (int i = from; i < from + count; ++i) records.push_back({.key = "k", .value = std::to_string(i) + padding});
    return records;
}

inline std::vector<std::string> numbers(int from, int count) {
    std::vector<std::string> lines;
    for (int i = from; i < from + count; ++i) lines.push_back(std::to_string(i));
    return lines;
}

inline arguments consume(const testkit::fake_cluster& cluster, const arguments& more) {
    arguments all{"consume", "-b", cluster.bootstrap_servers()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

// -1: nothing.
inline std::int64_t committed(const testkit::fake_cluster& cluster, const std::string& group, const std::string& topic,
                              std::int32_t partition = 0) {
    const auto all = cluster.committed(group);
    const auto found = all.find({topic, partition});
    return found == all.end() ? -1 : found->second.offset;
}

// Looks until it holds or patience ends; says which.
inline bool eventually(const std::function<bool()>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + tool_process::patience;
    while (!holds()) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

}  // namespace strandline::system_tests
