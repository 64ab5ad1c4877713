// What the consumer's system tests have in common: records to write, reading until something is there.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <strandline/consumer.hpp>
#include <strandline/testkit/fake_cluster.hpp>

namespace strandline::system_tests {

using namespace std::chrono_literals;

// What a test waits for at the longest; a healthy run takes milliseconds.
inline constexpr auto patience = 30s;

inline std::vector<testkit::fake_record> numbered(int from, int count) {
    std::vector<testkit::fake_record> records;
    for (int i = from; i < from + count; ++i) records.push_back({.key = "k", .value = std::to_string(i)});
    return records;
}

inline consumer_config member_of(const testkit::fake_cluster& cluster, std::string group) {
    consumer_config config;
    config.bootstrap_servers = cluster.bootstrap_servers();
    config.group_id = std::move(group);
    config.auto_offset_reset = offset_reset::earliest;
    return config;
}

// Polls until `done` or patience ends; says which.
inline bool poll_until(
    consumer& from, const std::function<bool()>& done,
    const std::function<void(const record&)>& take = [](const record&) {}) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!done()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        for (const record& one : from.poll(50ms)) take(one);
    }
    return true;
}

inline std::vector<std::string> read(consumer& from, std::size_t wanted) {
    std::vector<std::string> values;
    poll_until(
        from, [&] { return values.size() >= wanted; },
        [&](const record& one) { values.emplace_back(one.value_text().value_or("null")); });
    return values;
}

// Runs work on a thread of its own and joins it.
class worker {
public:
    explicit worker(std::function<void()> work) : thread_(std::move(work)) {}
    ~worker() {
        if (thread_.joinable()) thread_.join();
    }
    void join() { thread_.join(); }

private:
    std::thread thread_;
};

}  // namespace strandline::system_tests
