#include "client/call_table.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <strandline/access.hpp>

#include "client/blocking.hpp"
#include "client/operations.hpp"
#include "client/operations/looking.hpp"
#include "client/scripted_runtime_testsupport.hpp"

namespace strandline::client {
namespace {

using namespace std::chrono_literals;
using testsupport::scripted_runtime;
namespace boundary = core::boundary;

// Unit tests run in the root of the checkout.
std::string text_of(const std::string& path) {
    std::ifstream in(path);
    EXPECT_TRUE(in) << path << " is not under " << std::filesystem::current_path();
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::set<std::string> calls_declared_in(const std::string& header) {
    auto text = std::regex_replace(text_of(header), std::regex("//[^\n]*"), "");
    text = text.substr(text.find("public:"));
    text = text.substr(0, text.find("protected:"));
    std::set<std::string> names;
    // Members stand four columns in; what wraps stands further.
    const std::regex declaration(R"(\n    (?! )[^\n(]*?[ >](?:try_)?(\w+)\()");
    for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end; ++at) names.insert((*at)[1]);
    return names;
}

// What a façade has itself, and what it has from looking_calls.
std::set<std::string> calls_of(const std::string& header) {
    auto calls = calls_declared_in(header);
    calls.merge(calls_declared_in("include/strandline/looking_calls.hpp"));
    return calls;
}

TEST(call_table, has_exactly_the_calls_of_the_public_headers) {
    auto declared = calls_of("include/strandline/consumer_calls.hpp");
    // Of the consumer itself: its calls, not how it is made.
    for (const auto* own : {"poll", "close"}) {
        EXPECT_NE(text_of("include/strandline/consumer.hpp").find(std::string("try_") + own), std::string::npos);
        declared.insert(own);
    }
    std::set<std::string> listed;
    for (const auto& rule : call_table()) listed.insert(std::string(rule.call));
    EXPECT_EQ(declared, listed);
}

TEST(call_table, has_exactly_the_calls_that_can_be_awaited) {
    auto declared = calls_of("include/strandline/coroutine_calls.hpp");
    for (const auto* own : {"poll", "close"}) {
        EXPECT_NE(text_of("include/strandline/coroutine.hpp").find(std::string("try_") + own), std::string::npos);
        declared.insert(own);
    }
    std::set<std::string> listed;
    for (const auto& rule : call_table()) listed.insert(std::string(rule.call));
    EXPECT_EQ(declared, listed);
}

TEST(call_table, is_what_the_documentation_says) {
    std::string expected = "| call |";
    for (const auto name : callback_names) expected += " " + std::string(name) + " |";
    expected += " from any thread |\n|---|---|---|---|---|---|\n";
    for (const auto& rule : call_table()) {
        expected += "| `" + std::string(rule.call) + "` |";
        for (const auto what : rule.in) expected += " " + std::string(words(what)) + " |";
        expected += rule.any_thread ? " yes |\n" : " |\n";
    }
    EXPECT_NE(text_of("docs/reference/calls-in-callbacks.md").find(expected), std::string::npos)
        << "docs/reference/calls-in-callbacks.md should have:\n"
        << expected;
}

const topic_partition orders_0{"orders", 0};

template <class Value>
std::optional<error> error_of(const result<Value>& outcome) {
    if (outcome) return std::nullopt;
    return outcome.error();
}

using invocation = std::function<std::optional<error>(consumer_access&, consumer_state&)>;

const std::map<std::string, invocation>& invocations() {
    using access_ref = consumer_access&;
    using state_ref = consumer_state&;
    static const std::map<std::string, invocation> all{
        {"poll", [](access_ref, state_ref state) { return error_of(poll(state, 0ms)); }},
        {"close",
         [](access_ref, state_ref state) {
             const auto report = close(state, access::root_frame, 5s, group_membership::by_default);
             EXPECT_TRUE(report->requested_only);
             return error_of(report);
         }},
        {"subscribe",
         [](access_ref to, state_ref) { return error_of(to.try_subscribe(std::vector<std::string>{"a"})); }},
        {"unsubscribe", [](access_ref to, state_ref) { return error_of(to.try_unsubscribe()); }},
        {"assign", [](access_ref to, state_ref) { return error_of(to.try_assign({orders_0})); }},
        {"commit", [](access_ref to, state_ref) { return error_of(to.try_commit()); }},
        {"commit_async", [](access_ref to, state_ref) { return error_of(to.try_commit_async()); }},
        {"committed", [](access_ref to, state_ref) { return error_of(to.try_committed({orders_0})); }},
        {"seek", [](access_ref to, state_ref) { return error_of(to.try_seek(orders_0, 3)); }},
        {"seek_to_beginning", [](access_ref to, state_ref) { return error_of(to.try_seek_to_beginning()); }},
        {"seek_to_end", [](access_ref to, state_ref) { return error_of(to.try_seek_to_end()); }},
        {"position", [](access_ref to, state_ref) { return error_of(to.try_position(orders_0)); }},
        {"pause", [](access_ref to, state_ref) { return error_of(to.try_pause({orders_0})); }},
        {"resume", [](access_ref to, state_ref) { return error_of(to.try_resume({orders_0})); }},
        {"offsets_for_times",
         [](access_ref to, state_ref) {
             return error_of(to.try_offsets_for_times({{orders_0, consumer_calls::time_point(5ms)}}));
         }},
        {"beginning_offsets", [](access_ref to, state_ref) { return error_of(to.try_beginning_offsets({orders_0})); }},
        {"end_offsets", [](access_ref to, state_ref) { return error_of(to.try_end_offsets({orders_0})); }},
        {"partitions_for", [](access_ref to, state_ref) { return error_of(to.try_partitions_for("orders")); }},
        {"list_topics", [](access_ref to, state_ref) { return error_of(to.try_list_topics()); }},
        {"assignment", [](access_ref to, state_ref) { return to.assignment(), std::optional<error>(); }},
        {"subscription", [](access_ref to, state_ref) { return to.subscription(), std::optional<error>(); }},
        {"paused", [](access_ref to, state_ref) { return to.paused(), std::optional<error>(); }},
        {"lag", [](access_ref to, state_ref) { return static_cast<void>(to.lag(orders_0)), std::optional<error>(); }},
        {"group_metadata", [](access_ref to, state_ref) { return to.group_metadata(), std::optional<error>(); }},
        {"explain", [](access_ref to, state_ref) { return to.explain(), std::optional<error>(); }},
        {"memory_in_use",
         [](access_ref to, state_ref) { return static_cast<void>(to.memory_in_use()), std::optional<error>(); }},
        {"wakeup", [](access_ref to, state_ref) { return to.wakeup(), std::optional<error>(); }},
        {"request_close", [](access_ref to, state_ref) { return to.request_close(), std::optional<error>(); }},
    };
    return all;
}

struct calling_listener : rebalance_listener {
    std::function<void(consumer_access)> body;
    void on_assigned(consumer_access given, const partitions&) override { body(std::move(given)); }
    void on_revoked(consumer_access given, const partitions&) override { body(std::move(given)); }
    void on_lost(consumer_access given, const partitions&) override { body(std::move(given)); }
};

class call_in_callback : public testing::TestWithParam<call_rule> {
protected:
    // Calls it inside that callback; what the call and the poll around it came to.
    void run(callback_kind kind) {
        scripted_runtime* reactor = nullptr;
        const auto state = *consumer_state::create({.bootstrap_servers = "localhost:9092", .group_id = "billing"},
                                                   [&](const core::boundary::core_config&, handoff::handoff& meeting) {
                                                       auto made = std::make_unique<scripted_runtime>(meeting);
                                                       reactor = made.get();
                                                       return made;
                                                   });
        calling_listener listener;
        bool called = false;
        listener.body = [&](consumer_access given) {
            outcome_ = invocations().at(std::string(GetParam().call))(given, *state);
            called = true;
        };
        ASSERT_TRUE(subscribe(*state, 0, {{"orders"}, {}, {}, false}, listener).has_value());
        reactor->assign(0, orders_0);
        using wanted = boundary::callback_wanted::kind;
        switch (kind) {
            case callback_kind::on_assigned: reactor->want_callback(wanted::assigned, {orders_0}); break;
            case callback_kind::on_revoked: reactor->want_callback(wanted::revoked, {orders_0}); break;
            case callback_kind::on_lost: reactor->want_callback(wanted::lost, {orders_0}); break;
            case callback_kind::commit_callback:
                ASSERT_TRUE(
                    commit_async(*state, 0, offsets{{orders_0, 1}}, [&](consumer_access given, const commit_result&) {
                        listener.body(std::move(given));
                    }).has_value());
        }
        // A commit takes a turn of the reactor to end.
        do polled_ = error_of(poll(*state, 1ms));
        while (!called);
        closed_ = state->closed;
        static_cast<void>(close(*state, 0, 5s, group_membership::by_default));
    }

    std::optional<error> outcome_;
    std::optional<error> polled_;
    bool closed_ = false;
};

// tickets: (E8) (D11)
TEST_P(call_in_callback, does_what_the_table_says) {
    for (std::size_t kind = 0; kind < callback_names.size(); ++kind) {
        SCOPED_TRACE(callback_names[kind]);
        run(static_cast<callback_kind>(kind));
        switch (GetParam().in[kind]) {
            case in_callback::at_once:
            case in_callback::after_callback:
                EXPECT_FALSE(outcome_.has_value()) << outcome_->message();
                EXPECT_FALSE(closed_);
                break;
            case in_callback::refused:
                ASSERT_TRUE(outcome_.has_value());
                EXPECT_EQ(*outcome_, errc::invalid_state);
                break;
            case in_callback::requested:
                EXPECT_FALSE(outcome_.has_value());
                ASSERT_TRUE(polled_.has_value());
                EXPECT_EQ(*polled_, errc::consumer_closed);
                EXPECT_TRUE(closed_);
                break;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(every, call_in_callback, testing::ValuesIn(call_table().begin(), call_table().end()),
                         [](const auto& each) { return std::string(each.param.call); });

TEST(call_table, every_call_marked_so_is_free_of_the_gate_and_every_other_is_not) {
    const auto state = *consumer_state::create({.bootstrap_servers = "localhost:9092", .group_id = "billing"},
                                               [&](const core::boundary::core_config&, handoff::handoff& meeting) {
                                                   return std::make_unique<scripted_runtime>(meeting);
                                               });
    {
        const auto now = state->time.now();
        access::place poll_place(access::root_frame, "poll");
        const auto inside = state->door.enter(poll_place, now, base::never);
        const auto frame = state->door.open_callback("callback", now);
        access::place end;
        {
            const callback_scope scope(*state, frame);
            auto given = scope.access();
            // Another caller is inside through the same access: whoever asks the gate waits for it, until its deadline.
            access::place sibling_place(access::root_frame, "sibling");
            const auto sibling = state->door.enter(sibling_place, now, base::never);
            for (const auto& rule : call_table()) {
                if (!rule.any_thread || rule.call == "request_close") continue;
                EXPECT_FALSE(invocations().at(std::string(rule.call))(given, *state).has_value()) << rule.call;
            }
            EXPECT_EQ(given.try_unsubscribe(0ms).error(), errc::timed_out);
        }
        EXPECT_TRUE(state->door.end_callback(frame, end));
    }
    static_cast<void>(close(*state, 0, 5s, group_membership::by_default));
}

}  // namespace
}  // namespace strandline::client
