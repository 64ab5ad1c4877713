// Asks the admin client for the group and the members' output for progress.
#include "tests/live/group_run.hpp"

#include <csignal>
#include <utility>

#include <gtest/gtest.h>

#include "tests/live/patience.hpp"

namespace strandline::live {

namespace {

using namespace std::chrono_literals;

// Longer than a session, which a takeover waits for, on a busy machine.
constexpr auto patience = 40s;

}  // namespace

group_run::group_run(kafka_cluster& cluster, std::string group, std::string topic)
    : cluster_(cluster), group_(std::move(group)), topic_(std::move(topic)) {}

group_run::~group_run() {
    // Only after a failure: the producer of this test must not disturb the next.
    try {
        if (producing_) stop_producing();
    } catch (const std::exception& failure) {
        ADD_FAILURE() << failure.what();
    }
}

child_process& group_run::join(const arguments& further) {
    arguments given{"-g", group_, "-o", "beginning", topic_};
    given.insert(given.begin(), further.begin(), further.end());
    members_.push_back(start_consume(cluster_, given));
    return *members_.back();
}

void group_run::await_members(std::size_t count, std::size_t partitions) {
    json::object seen;
    const auto settled = [&] {
        seen = cluster_.kafka().describe_group(group_);
        const auto& members = seen.at("members").as_array();
        std::size_t held = 0;
        for (const auto& member : members) {
            if (member.at("assignment").as_array().empty()) return false;
            held += member.at("assignment").as_array().size();
        }
        return seen.at("state") == "stable" && members.size() == count && held == partitions;
    };
    try {
        eventually("", patience, settled);
    } catch (const not_in_time&) {
        std::string report = "the group does not settle with " + std::to_string(count) + " members and " +
                             std::to_string(partitions) + " partitions; it is " + json::serialize(seen);
        for (const auto& member : members_) report += "\n" + member->errors().text();
        throw not_in_time(report);
    }
}

void group_run::await_lines_of_each(std::size_t count) {
    for (const auto& member : members_) {
        if (member->is_running() && !member->output().wait_for_lines(count, patience)) {
            throw not_in_time("a member printed only " + std::to_string(member->output().count()) + " lines of " +
                              std::to_string(count) + "; it says:\n" + member->errors().text());
        }
    }
}

void group_run::await_lines_in_all(std::size_t count) {
    std::size_t printed = 0;
    const auto complete = [&] {
        printed = 0;
        for (const auto& member : members_) printed += member->output().count();
        return printed >= count;
    };
    try {
        eventually("", patience, complete);
    } catch (const not_in_time&) {
        std::string report = "only " + std::to_string(printed) + " lines of " + std::to_string(count);
        for (const auto& member : members_) report += "\n" + member->errors().text();
        throw not_in_time(report);
    }
}

void group_run::start_producing(int partitions, int rate) {
    cluster_.kafka().call("produce_start",
                          {{"id", topic_}, {"topic", topic_}, {"partitions", partitions}, {"rate", rate}});
    producing_ = true;
}

std::size_t group_run::stop_producing() {
    producing_ = false;
    cluster_.kafka().call("produce_stop", {{"id", topic_}}, std::chrono::minutes(3));
    std::size_t total = 0;
    const auto offsets = cluster_.kafka().call("offsets", {{"topic", topic_}});
    for (const auto& partition : offsets.as_array()) total += partition.at("end").to_number<std::size_t>();
    return total;
}

std::vector<std::vector<std::string>> group_run::lines() const {
    std::vector<std::vector<std::string>> all;
    for (const auto& member : members_) all.push_back(member->output().lines());
    return all;
}

void group_run::interrupt_all() {
    for (const auto& member : members_) member->send_signal(SIGINT);
    for (const auto& member : members_) {
        if (!member->is_running() && member->wait(0ms) == 128 + SIGKILL) continue;
        const auto result = finish(*member);
        EXPECT_EQ(result.status, 0) << result.errors;
    }
}

}  // namespace strandline::live
