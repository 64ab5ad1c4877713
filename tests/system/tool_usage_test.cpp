// What the tool says about itself and about wrong command lines.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/tool_test_rig.hpp"

namespace strandline::system_tests {
namespace {

using testing::HasSubstr;

void expect_refused(const arguments& given, const std::string& names) {
    const auto tool = run_tool(given);
    EXPECT_EQ(tool.status, 2) << names;
    EXPECT_TRUE(tool.output.empty()) << names;
    EXPECT_EQ(std::ranges::count(tool.errors, '\n'), 2) << tool.errors;
    EXPECT_THAT(tool.errors.substr(0, tool.errors.find('\n')), HasSubstr(names));
    EXPECT_THAT(tool.errors, HasSubstr("--help\n"));
}

TEST(tool, refuses_wrong_command_lines_in_two_lines) {
    expect_refused({}, "COMMAND");
    expect_refused({"produce"}, "produce");
    expect_refused({"consume", "t"}, "-b");
    expect_refused({"consume", "-b", "x:1"}, "TOPIC");
    expect_refused({"consume", "-b", "x", "t"}, "bootstrap.servers");
    expect_refused({"consume", "-b", "x:1", "--frob", "t"}, "--frob");
    expect_refused({"consume", "-b", "x:1", "-c"}, "-c");
    expect_refused({"consume", "-b", "x:1", "-c", "-1", "t"}, "-c");
    expect_refused({"consume", "-b", "x:1", "-c", "1", "-c", "2", "t"}, "-c");
    expect_refused({"consume", "-b", "x:1", "--timeout", "soon", "t"}, "--timeout");
    expect_refused({"consume", "-b", "x:1", "-p", "a", "t"}, "-p");
    expect_refused({"consume", "-b", "x:1", "-o", "middle", "t"}, "-o");
    expect_refused({"consume", "-b", "x:1", "-F", "/nowhere", "t"}, "/nowhere");
    expect_refused({"consume", "-b", "x:1", "-F", "/tmp", "t"}, "cannot read /tmp");
    expect_refused({"consume", "-b", "x:1", "-X", "group.protocol=classic", "t"}, "group.protocol");
    expect_refused({"consume", "-b", "x:1", "-X", "security.protocol=SASL_SSL", "t"}, "security.protocol");
    expect_refused({"consume", "-b", "x:1", "-X", "gruop.id=g", "-X", "fetch.min.bytes=x", "t"}, "group.id");
    expect_refused({"fake", "--port", "70000"}, "--port");
    expect_refused({"fake", "--topic", "a b"}, "--topic");
}

TEST(tool, shows_no_secret) {
    const auto tool =
        run_tool({"consume", "-b", "x:1", "-X", "sasl.password=hunter2", "-X", "ssl.keystore.password=hunter2", "t"});
    EXPECT_EQ(tool.status, 2);
    EXPECT_THAT(tool.errors, testing::Not(HasSubstr("hunter2")));
}

TEST(tool, says_its_version_and_those_of_its_libraries) {
    const auto tool = run_tool({"--version"});
    EXPECT_EQ(tool.status, 0);
    ASSERT_EQ(tool.output.size(), 1U);
    EXPECT_THAT(tool.output[0], testing::AllOf(HasSubstr("strandline 0."), HasSubstr("zstd"), HasSubstr("c-ares")));
}

// Example lines of a help text, cut into words; quotes group.
std::vector<arguments> examples_in(const std::vector<std::string>& help, const std::string& command) {
    std::vector<arguments> found;
    for (const auto& line : help) {
        if (!line.starts_with("  strandline " + command)) continue;
        arguments words;
        std::istringstream text(line.substr(13));
        std::string word;
        while (text >> std::ws) {
            if (text.peek() == '\'') {
                text.get();
                std::getline(text, word, '\'');
            } else {
                text >> word;
            }
            words.push_back(word);
        }
        found.push_back(words);
    }
    return found;
}

TEST(tool, has_two_examples_in_its_help_that_work_against_the_fake_cluster) {
    const auto help = run_tool({"consume", "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_EQ(help.errors, "");
    const auto examples = examples_in(help.output, "consume");
    ASSERT_EQ(examples.size(), 2U);

    const auto fakes = examples_in(run_tool({"fake", "--help"}).output, "fake");
    ASSERT_EQ(fakes.size(), 2U);
    // Ports are shared by all tests that run: any free one takes the place of the one in the text.
    tool_process fake({"fake", "--demo"});
    const auto listening = fake.line();
    ASSERT_THAT(listening, testing::StartsWith("listening on 127.0.0.1:"));
    for (auto example : examples) {
        std::ranges::replace(example, "127.0.0.1:9092", listening.substr(13));
        const auto tool = run_tool(example);
        EXPECT_EQ(tool.status, 0) << tool.errors;
        EXPECT_GE(tool.output.size(), 10U);
    }
    fake.send(SIGTERM);
    EXPECT_EQ(fake.status(), 0);
}

TEST(tool_fake, serves_topics_on_the_port_it_names) {
    tool_process fake({"fake", "--topic", "orders:2", "--topic", "payments"});
    const auto listening = fake.line();
    const auto brokers = listening.substr(listening.rfind(' ') + 1);
    EXPECT_EQ(run_tool({"consume", "-b", brokers, "-e", "orders", "payments"}).status, 0);

    const auto second = run_tool({"fake", "--port", brokers.substr(brokers.rfind(':') + 1)});
    EXPECT_EQ(second.status, 1);
    EXPECT_THAT(second.errors, HasSubstr("in use"));
    fake.send(SIGINT);
    EXPECT_EQ(fake.status(), 0);
}

TEST(tool_consume, takes_properties_from_files_and_by_other_names) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 3));
    const auto file = testing::TempDir() + "tool_usage_test.properties";
    std::ofstream(file) << "# from librdkafka\nmetadata.broker.list=" << cluster.bootstrap_servers()
                        << "\nfetch.wait.max.ms: 10\n";
    const auto tool =
        run_tool({"consume", "-F", file, "-X", "group.id=g", "-X", "auto.offset.reset=smallest", "-c", "3", "orders"});
    EXPECT_EQ(tool.status, 0) << tool.errors;
    EXPECT_EQ(tool.output, numbers(0, 3));
    EXPECT_EQ(committed(cluster, "g", "orders"), 3);
    std::remove(file.c_str());
}

TEST(tool_consume, takes_times_that_others_write) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    cluster.produce("orders", 0, numbered(0, 3));
    const auto tool = run_tool(consume(cluster, {"-e", "-X", "connections.max.idle.ms=9223372036854775807", "-X",
                                                 "request.timeout.ms=500", "orders"}));
    EXPECT_EQ(tool.status, 0) << tool.errors;
    EXPECT_EQ(tool.output, numbers(0, 3));
}

}  // namespace
}  // namespace strandline::system_tests
