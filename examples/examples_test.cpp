// Runs each example as its user would, against a fake cluster, and looks at what it prints.
#include <csignal>
#include <cstdio>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include <strandline/testkit/fake_cluster.hpp>

namespace strandline {
namespace {

// A running example, its output at hand.
class example {
public:
    example(const std::string& name, const std::string& brokers) {
        int ends[2];
        EXPECT_EQ(pipe(ends), 0);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_addclose(&actions, ends[0]);
        std::string program = std::string(EXAMPLES_FOLDER) + "/example_" + name;
        std::string argument = brokers;
        char* arguments[] = {program.data(), argument.data(), nullptr};
        EXPECT_EQ(posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments, environ), 0) << program;
        posix_spawn_file_actions_destroy(&actions);
        close(ends[1]);
        output_ = fdopen(ends[0], "r");
    }
    ~example() {
        if (process_ > 0) {
            kill(process_, SIGKILL);
            waitpid(process_, nullptr, 0);
        }
        fclose(output_);
    }
    example(const example&) = delete;
    example& operator=(const example&) = delete;

    // The next lines, as many as asked for, or all that come before its end.
    std::vector<std::string> lines(std::size_t count = 1000) {
        std::vector<std::string> read;
        char line[4096];
        while (read.size() < count && fgets(line, sizeof line, output_)) {
            read.emplace_back(line);
            if (read.back().ends_with('\n')) read.back().pop_back();
        }
        return read;
    }
    int exit_status() {
        int status = 0;
        EXPECT_EQ(waitpid(process_, &status, 0), process_);
        process_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    pid_t process_ = 0;
    FILE* output_ = nullptr;
};

// Three partitions of three orders each.
testkit::fake_cluster with_orders() {
    testkit::fake_cluster cluster({.topics = {{"orders", 3}}});
    for (int partition = 0; partition < 3; ++partition) {
        std::vector<testkit::fake_record> records;
        for (int i = 0; i < 3; ++i) {
            records.push_back({.key = "customer-" + std::to_string(i), .value = "order " + std::to_string(i)});
        }
        cluster.produce("orders", partition, records);
    }
    return cluster;
}

bool has(const std::vector<std::string>& lines, const std::string& wanted) {
    for (const auto& line : lines) {
        if (line.find(wanted) != std::string::npos) return true;
    }
    return false;
}

TEST(examples, ten_lines_print_every_order) {
    auto cluster = with_orders();
    example running("ten_lines", cluster.bootstrap_servers());
    const auto lines = running.lines(9);
    ASSERT_EQ(lines.size(), 9U);
    EXPECT_TRUE(has(lines, "customer-2 order 2"));
}

TEST(examples, commit_seek_ask_tells_where_it_stands) {
    auto cluster = with_orders();
    example running("commit_seek_ask", cluster.bootstrap_servers());
    const auto lines = running.lines();
    EXPECT_EQ(running.exit_status(), 0);
    for (const auto* wanted : {"position 2", "read again 2", "committed 1", "end 3", "lag 0", "interrupted by wakeup()",
                               "asynchronous commit done", "closed"}) {
        EXPECT_TRUE(has(lines, wanted)) << wanted << "\n" << testing::PrintToString(lines);
    }
    EXPECT_FALSE(has(lines, "left undone"));
}

TEST(examples, rebalance_to_database_stores_each_order_once) {
    auto cluster = with_orders();
    example running("rebalance_to_database", cluster.bootstrap_servers());
    const auto lines = running.lines();
    EXPECT_EQ(running.exit_status(), 0);
    EXPECT_TRUE(has(lines, "customer-1: 3"));
    EXPECT_TRUE(has(lines, "revoked "));
}

TEST(examples, work_on_other_threads_commits_what_they_handled) {
    auto cluster = with_orders();
    example running("work_on_other_threads", cluster.bootstrap_servers());
    EXPECT_EQ(running.lines(), std::vector<std::string>{"handled 9"});
    EXPECT_EQ(running.exit_status(), 0);
    EXPECT_EQ(cluster.committed("workers").at({"orders", 2}).offset, 3);
}

}  // namespace
}  // namespace strandline
