// A reader that does not keep up: a large backlog, an output nobody reads; memory stays within its bound and the member
// in its group. STRANDLINE_LIVE_BACKLOG_MB sets how much is waiting (150).
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/one_broker.hpp"
#include "tests/live/patience.hpp"
#include "tests/live/tool.hpp"

namespace strandline::live {
namespace {

using namespace std::chrono_literals;
using backlog = one_broker_test;

std::int64_t megabytes_waiting() {
    const auto* wanted = std::getenv("STRANDLINE_LIVE_BACKLOG_MB");  // NOLINT(concurrency-mt-unsafe): one thread yet
    return wanted == nullptr ? 150 : std::stoll(wanted);
}

// The most it ever had in memory.
std::int64_t peak_kilobytes(pid_t process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6));
    }
    return -1;
}

std::int64_t lines_until(int descriptor, std::int64_t wanted) {
    std::vector<char> bytes(1 << 20);
    std::int64_t lines = 0;
    while (lines < wanted) {
        const auto got = ::read(descriptor, bytes.data(), bytes.size());
        if (got <= 0) break;
        lines += std::count(bytes.begin(), bytes.begin() + got, '\n');
    }
    return lines;
}

TEST_F(backlog, is_read_within_the_memory_bound_by_a_member_that_stays) {
    constexpr int partitions = 4;
    constexpr std::int64_t value_size = 1000;
    // The limit of 64 MiB, one oversized answer, the decoded output of one poll, and the program itself.
    constexpr std::int64_t bound_kilobytes = (64 + 64 + 32) * 1024;
    const auto count = megabytes_waiting() * 1'000'000 / value_size;
    kafka().create_topic(topic, partitions);
    kafka().produce_many(topic, partitions, count, value_size);

    const auto run = start_consume(cluster(), {"-g", group, "-o", "beginning", topic}, false);
    std::int64_t read = lines_until(run->output_descriptor(), 1);
    ASSERT_GE(read, 1) << run->errors().text();
    // Longer than a session: nobody reads, the tool stands in its write, away from poll.
    throughout("the member that stands stays in the group", 10s,
               [&] { return kafka().describe_group(group).at("members").as_array().size() == 1; });
    EXPECT_LT(peak_kilobytes(run->id()), bound_kilobytes);

    read += lines_until(run->output_descriptor(), count - read);
    EXPECT_EQ(read, count) << run->errors().text();
    EXPECT_LT(peak_kilobytes(run->id()), bound_kilobytes);
    EXPECT_EQ(kafka().group_state(group), "stable");
    run->send_signal(SIGINT);
    EXPECT_EQ(run->wait(10s), 0) << run->errors().text();
    std::int64_t committed = 0;
    for (const auto& [partition, offset] : kafka().committed(group)) committed += offset;
    EXPECT_EQ(committed, count);
}

}  // namespace
}  // namespace strandline::live
