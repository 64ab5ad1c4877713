// The tool and what is around it: pipes, terminals, signals, brokers that do not answer.
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/tool_test_rig.hpp"

namespace strandline::system_tests {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// One batch of many long records: far more than a pipe holds.
constexpr int many = 20'000;
void produce_many(testkit::fake_cluster& cluster) {
    cluster.produce("orders", 0, numbered(0, many, std::string(100, 'x')));
}

TEST(tool_streams, end_it_without_a_word_when_nobody_reads_any_more_inside_a_batch) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    produce_many(cluster);
    tool_process tool(consume(cluster, {"-g", "g", "-o", "beginning", "orders"}));
    EXPECT_EQ(tool.lines(2).size(), 2U);
    tool.close_output();
    EXPECT_EQ(tool.status(), 0);
    EXPECT_EQ(tool.errors(), "");
    // A pipe holds 64 KiB, that is some six hundred of them; what was read before came on top.
    EXPECT_GE(committed(cluster, "g", "orders"), 2);
    EXPECT_LT(committed(cluster, "g", "orders"), 3000);
    EXPECT_TRUE(cluster.members("g").empty());
}

TEST(tool_streams, end_it_when_nobody_reads_any_more_though_nothing_comes) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 1));
    tool_process tool(consume(cluster, {"orders"}));
    EXPECT_EQ(tool.line(), "0");
    tool.close_output();
    EXPECT_EQ(tool.status(), 0);
}

TEST(tool_streams, commit_the_lines_that_are_whole_when_it_is_stopped_while_blocked) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    produce_many(cluster);
    tool_process tool(consume(cluster, {"-g", "g", "-o", "beginning", "-f", "%o\\n%s", "orders"}));
    EXPECT_EQ(tool.line(), "0");
    const auto before = std::chrono::steady_clock::now();
    tool.send(SIGTERM);
    EXPECT_EQ(tool.status(), 0);
    EXPECT_LT(std::chrono::steady_clock::now() - before, 5s);
    const auto kept = committed(cluster, "g", "orders");
    EXPECT_GT(kept, 0);
    EXPECT_LT(kept, many);
    // Each line but the last ends a record with its successor's number.
    const auto rest = tool.rest();
    ASSERT_FALSE(rest.empty());
    const auto& last = rest.back();
    const auto number = last.substr(last.rfind('x') + 1);
    const auto last_started = std::stoll(number);
    EXPECT_GE(kept, last_started);
    EXPECT_LE(kept, last_started + 1);
}

TEST(tool_streams, are_flushed_when_there_is_nothing_more_to_read) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    tool_process tool(consume(cluster, {"orders"}));
    for (int i = 0; i < 5; ++i) {
        cluster.produce("orders", 0, numbered(i, 1));
        EXPECT_EQ(tool.line(), std::to_string(i));
    }
    tool.send(SIGINT);
    EXPECT_EQ(tool.status(), 0);
    EXPECT_EQ(tool.errors(), "");
}

TEST(tool_streams, show_progress_on_a_terminal_when_data_goes_elsewhere) {
    testkit::fake_cluster cluster({.topics = {{"orders", 2}}});
    cluster.produce("orders", 0, numbered(0, 7));
    tool_process tool(consume(cluster, {"orders"}), tool_process::stream::pipe, tool_process::stream::terminal);
    EXPECT_EQ(tool.lines(7), numbers(0, 7));
    EXPECT_TRUE(tool.says("\r\x1b[K7 records"));
    EXPECT_TRUE(tool.says("lag 0  2 partitions"));
    tool.send(SIGINT);
    EXPECT_EQ(tool.status(), 0);
}

TEST(tool_streams, show_no_progress_where_data_goes_to_the_terminal_too_or_quiet_is_wanted) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 3));
    using stream = tool_process::stream;
    tool_process on_screen(consume(cluster, {"--timeout", "1200ms", "orders"}), stream::terminal, stream::terminal);
    EXPECT_EQ(on_screen.lines(3), numbers(0, 3));
    EXPECT_EQ(on_screen.errors(), "");
    tool_process quiet(consume(cluster, {"-q", "--timeout", "1200ms", "orders"}), stream::pipe, stream::terminal);
    EXPECT_EQ(quiet.errors(), "");
}

TEST(tool_signals, explain_what_it_waits_for_and_let_it_go_on) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 1));
    tool_process tool(consume(cluster, {"-q", "orders"}));
    EXPECT_EQ(tool.line(), "0");
    tool.send(SIGUSR1);
    EXPECT_TRUE(tool.says("orders-0"));
    EXPECT_TRUE(tool.says(" <- "));
    EXPECT_TRUE(tool.says("  . turn "));
    cluster.produce("orders", 0, numbered(1, 1));
    EXPECT_EQ(tool.line(), "1");
    tool.send(SIGTERM);
    EXPECT_EQ(tool.status(), 0);
}

TEST(tool_signals, do_not_take_a_thread_of_their_own) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 1));
    tool_process tool(consume(cluster, {"-g", "g", "-o", "beginning", "orders"}));
    EXPECT_EQ(tool.line(), "0");
    const std::filesystem::directory_iterator tasks("/proc/" + std::to_string(tool.id()) + "/task");
    EXPECT_EQ(std::distance(begin(tasks), end(tasks)), 2);
    tool.send(SIGINT);
    EXPECT_EQ(tool.status(), 0);
}

// A port on which connections are taken and nothing is ever said.
class silent_port {
public:
    silent_port() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(loopback);
        socklen_t size = sizeof address;
        EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
        EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
        port_ = ntohs(address.sin_port);
    }
    ~silent_port() { ::close(socket_); }
    silent_port(const silent_port&) = delete;
    silent_port& operator=(const silent_port&) = delete;
    void listen() { EXPECT_EQ(::listen(socket_, 16), 0); }
    std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

private:
    static constexpr std::uint32_t loopback = 0x7f000001;
    int socket_;
    int port_ = 0;
};

TEST(tool_first_contact, is_bounded_and_says_of_each_address_why_it_failed) {
    silent_port refusing;
    silent_port silent;
    silent.listen();
    const auto before = std::chrono::steady_clock::now();
    const auto tool = run_tool({"consume", "-b", refusing.address() + "," + silent.address() + ",nosuch.invalid:9092",
                                "--connect-timeout", "1500ms", "orders"});
    const auto took = std::chrono::steady_clock::now() - before;
    EXPECT_EQ(tool.status, 1);
    EXPECT_GE(took, 1400ms);
    EXPECT_LT(took, 10s);
    EXPECT_THAT(tool.errors, HasSubstr("\n  " + refusing.address() + ": "));
    EXPECT_THAT(tool.errors, HasSubstr("\n  " + silent.address() + ": "));
    EXPECT_THAT(tool.errors, HasSubstr("\n  nosuch.invalid:9092: "));
}

TEST(tool_first_contact, can_be_interrupted) {
    silent_port silent;
    silent.listen();
    tool_process tool({"consume", "-b", silent.address(), "-g", "g", "orders"});
    // Signals have their meaning once there are two threads.
    const auto tasks = "/proc/" + std::to_string(tool.id()) + "/task";
    EXPECT_TRUE(eventually([&] {
        const std::filesystem::directory_iterator all(tasks);
        return std::distance(begin(all), end(all)) == 2;
    }));
    tool.send(SIGINT);
    EXPECT_EQ(tool.status(), 0);
}

TEST(tool_contact, that_is_lost_later_is_told_and_found_again) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 1));
    tool_process tool(consume(cluster, {"orders"}));
    EXPECT_EQ(tool.line(), "0");
    cluster.stop_broker(1);
    EXPECT_TRUE(tool.says("trying again"));
    cluster.start_broker(1);
    cluster.produce("orders", 0, numbered(1, 1));
    EXPECT_EQ(tool.line(), "1");
    tool.send(SIGINT);
    EXPECT_EQ(tool.status(), 0);
}

}  // namespace
}  // namespace strandline::system_tests
