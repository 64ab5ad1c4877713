// A consumer with a scripted reactor behind it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <strandline/access.hpp>

#include "client/operations.hpp"
#include "client/operations/looking.hpp"
#include "client/scripted_runtime_testsupport.hpp"

namespace strandline::client::testsupport {

using namespace std::chrono_literals;

inline const topic_partition orders_0{"orders", 0};

struct recording_listener : rebalance_listener {
    void on_assigned(consumer_access given, const partitions& added) override {
        heard.push_back("assigned " + to_string(added));
        if (on_any) on_any(std::move(given));
    }
    void on_revoked(consumer_access given, const partitions& leaving) override {
        heard.push_back("revoked " + to_string(leaving));
        if (on_any) on_any(std::move(given));
    }
    std::vector<std::string> heard;
    std::function<void(consumer_access)> on_any;
};

class consumer_test : public testing::Test {
public:
    consumer_test() { make({.bootstrap_servers = "localhost:9092", .group_id = "billing"}); }
    ~consumer_test() override {
        static_cast<void>(close(*state, access::root_frame, 5s, group_membership::by_default));
    }

    void make(const consumer_config& config) {
        if (state) static_cast<void>(close(*state, access::root_frame, 5s, group_membership::by_default));
        state = *consumer_state::create(config, [this](const core::boundary::core_config&, handoff::handoff& meeting) {
            auto made = std::make_unique<scripted_runtime>(meeting);
            reactor = made.get();
            return made;
        });
    }
    // Assigned by a group, one partition.
    void subscribed(const listener_handle& listener = {}) {
        ASSERT_TRUE(subscribe(*state, 0, command::subscribe{{"orders"}, {}, {}, false}, listener).has_value());
        reactor->assign(0, orders_0);
    }
    polled_records polled() {
        auto got = poll(*state, 5s);
        EXPECT_TRUE(got.has_value()) << (got ? "" : got.error().message());
        return got ? std::move(*got) : polled_records();
    }
    std::vector<std::string> values(polled_records&& from) {
        std::vector<std::string> all;
        for (const auto& each : from) all.emplace_back(each.value_text().value_or("null"));
        return all;
    }
    std::int64_t committed_now() {
        EXPECT_TRUE(commit_processed(*state, 0, 5s).has_value());
        return reactor->look([](auto& at) { return at.processed.contains(0) ? at.processed.at(0) : -1; });
    }
    std::int64_t told() {
        operationless_turn();
        return reactor->look([](auto& at) { return at.processed.contains(0) ? at.processed.at(0) : -1; });
    }
    // Has the reactor collect what was folded.
    void operationless_turn() { EXPECT_TRUE(list_topics(*state, 0, 5s).has_value()); }

    std::shared_ptr<consumer_state> state;
    scripted_runtime* reactor = nullptr;
};

}  // namespace strandline::client::testsupport
