#include "asio/cares_resolver.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "asio/recorded_events_testsupport.hpp"

namespace strandline::asio {
namespace {

using core::connection::ip_endpoint;
using core::connection::name_resolved;
using core::connection::query_id;

// Names that need no server: a literal address, this machine, and what can be no name.
struct a_resolver : testing::Test {
    boost::asio::io_context context;
    recorded_events events;
    cares_resolver resolver{context};

    a_resolver() { resolver.report_to(events); }

    name_resolved answer_to(const std::string& host) {
        events.network.clear();
        resolver.resolve(query_id(3), {host, 9092});
        EXPECT_TRUE(events.network.empty()) << "nothing is reported inside the question";
        EXPECT_TRUE(happens(context, [&] { return !events.network.empty(); }));
        return events.network.empty() ? name_resolved{} : events.all<name_resolved>().front();
    }
};

TEST_F(a_resolver, passes_literal_addresses_on_with_the_port_asked_for) {
    const auto four = answer_to("127.0.0.1");
    EXPECT_EQ(four.id, query_id(3));
    EXPECT_EQ(four.addresses, (std::vector<ip_endpoint>{{"127.0.0.1", 9092}}));
    EXPECT_EQ(four.reason, "");
    EXPECT_EQ(answer_to("::1").addresses, (std::vector<ip_endpoint>{{"::1", 9092}}));
}

TEST_F(a_resolver, knows_this_machine) {
    const auto found = answer_to("localhost");
    EXPECT_EQ(std::ranges::count(found.addresses, ip_endpoint{"127.0.0.1", 9092}), 1) << found.reason;
}

TEST_F(a_resolver, says_that_there_is_no_such_name) {
    const auto none = answer_to(std::string(300, 'x'));
    EXPECT_EQ(none.id, query_id(3));
    EXPECT_TRUE(none.addresses.empty());
    EXPECT_NE(none.reason, "");
}

TEST_F(a_resolver, tells_nothing_any_more_once_it_is_shut) {
    resolver.resolve(query_id(1), {"127.0.0.1", 9092});
    resolver.shut();
    context.restart();
    context.poll();
    EXPECT_TRUE(events.network.empty());
}

}  // namespace
}  // namespace strandline::asio
