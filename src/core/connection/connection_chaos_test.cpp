// Whatever networks, brokers and other managers do in whatever order: every request gets one result, every wait lies
// ahead, nothing is written to what was closed, and in the end nothing is left.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "core/connection/connection_manager.hpp"
#include "core/connection/connection_test_rig.hpp"
#include "core/connection/network_picture.hpp"

namespace strandline::core::connection {
namespace {

using namespace test;

class chaos {
public:
    explicit chaos(std::uint64_t seed)
        : dice_(seed), r_({{"127.0.0.1", 9092}, {"one.example", 9092}, {"two.example", 9093}}) {}

    // How many requests were answered well.
    std::ptrdiff_t run(int steps) {
        for (int i = 0; i < steps && !::testing::Test::HasFatalFailure(); ++i) {
            step();
            if (roll(4) == 0) compare_pictures();
        }
        r_.manager->close_all(r_.time());
        r_.settle();
        std::map<exchange::request_id, int> results;
        for (const auto& response : r_.responses) ++results[response.id];
        EXPECT_EQ(results.size(), asked_.size());
        for (const auto id : asked_) EXPECT_EQ(results[id], 1) << id;
        for (const auto& open : r_.opens) EXPECT_TRUE(r_.closed_ids.contains(open.id) || ended_.contains(open.id));
        EXPECT_EQ(r_.wake_at, base::never);
        return std::count_if(r_.responses.begin(), r_.responses.end(),
                             [](const auto& response) { return response.body.has_value(); });
    }

private:
    std::uint64_t roll(std::uint64_t sides) { return dice_.below(sides); }
    broker_id any_broker() {
        const broker_id brokers[] = {broker_id(-2), broker_id(-3), broker_id(-4), broker_id(-9),
                                     broker1,       broker2,       broker_id(3)};
        return brokers[roll(std::size(brokers))];
    }
    connection_role any_role() { return static_cast<connection_role>(roll(3)); }
    connection_id any_connection() { return connection_id(roll(r_.opens.size() + 1) + 1); }

    void step() {
        r_.at(r_.now + std::chrono::milliseconds(roll(3)));
        const auto what = roll(100);
        if (what < 12) {
            r_.want(any_broker(), any_role());
        } else if (what < 32) {
            r_.on(connected{roll(3) == 0 || r_.opens.empty() ? any_connection() : r_.newest()});
        } else if (what < 35) {
            end(any_connection());
        } else if (what < 40) {
            resolve();
        } else if (what < 65) {
            answer_one();
        } else if (what < 85) {
            ask();
        } else if (what < 87) {
            tell();
        } else if (what < 89) {
            garble();
        } else {
            wait();
        }
    }
    // Of somebody who is ready, as well-behaved managers do, or of anybody.
    void ask() {
        auto broker = any_broker();
        auto role = any_role();
        for (int tries = 0; tries < 10 && r_.state(broker, role) != readiness::state::ready; ++tries) {
            broker = any_broker();
            role = any_role();
        }
        asked_.push_back(r_.ask(broker, role, std::chrono::milliseconds(roll(50'000))));
    }
    void end(connection_id id) {
        if (!r_.opened.contains(id) || !ended_.insert(id).second) return;
        r_.on(closed{id, roll(2) == 0 ? "" : "Connection reset by peer"});
    }
    void resolve() {
        if (r_.queries.empty()) return;
        const auto id = r_.queries[roll(r_.queries.size())].id;
        std::vector<ip_endpoint> addresses(roll(3), ip_endpoint{"10.0.0.1", 9092});
        r_.on(name_resolved{id, std::move(addresses), ""});
    }
    void answer_one() {
        if (r_.requests.empty()) return;
        const auto request = r_.take_request();
        if (request.header.api_key == protocol::api_key::api_versions) {
            auto versions = kafka_versions();
            if (roll(20) == 0) versions.error_code = broker_error::rebootstrap_required;
            r_.answer(request, versions);
        } else {
            r_.answer(request, protocol::messages::find_coordinator_response{});
        }
    }
    void tell() {
        if (roll(4) == 0) {
            r_.manager->on_fact(exchange::rebootstrap_started{}, r_.time());
            r_.cluster.change() = {};
            r_.settle();
            return;
        }
        std::map<broker_id, boundary::host_port> brokers;
        for (const auto id : {broker1, broker2, broker_id(3)}) {
            if (roll(3) != 0) brokers[id] = {roll(2) == 0 ? "127.0.0.1" : "three.example", 9094};
        }
        r_.tell_brokers(brokers);
    }
    void garble() {
        std::string bytes;
        for (auto count = roll(20); count > 0; --count) bytes += static_cast<char>(roll(roll(2) == 0 ? 3 : 256));
        r_.receive(any_connection(), base::as_bytes(bytes));
        r_.digest();
    }
    // What was drawn bit by bit is what there is.
    void compare_pictures() {
        const auto& table = dynamic_cast<const broker_table&>(*r_.manager->view_source().get().connections);
        std::vector<broker_id> all;
        for (const auto& [id, broker] : table.brokers) all.push_back(id);
        network_picture anew;
        const auto whole = anew.look_at(table, true, all);
        const auto grown = r_.manager->picture(true);
        EXPECT_EQ(grown->reachable, whole->reachable);
        ASSERT_EQ(grown->brokers.size(), whole->brokers.size());
        for (std::size_t i = 0; i < whole->brokers.size(); ++i) {
            const auto& is = *grown->brokers[i];
            const auto& should = *whole->brokers[i];
            ASSERT_EQ(is.broker, should.broker);
            ASSERT_EQ(is.backs_off_until, should.backs_off_until) << is.broker;
            ASSERT_EQ(is.failure, should.failure) << is.broker;
            ASSERT_EQ(is.address ? *is.address : "", should.address ? *should.address : "") << is.broker;
            ASSERT_TRUE(is.connections == should.connections) << is.broker;
        }
    }
    void wait() {
        if (r_.wake_at != base::never) r_.turn(r_.wake_at);
    }

    base::seeded_random dice_;
    rig r_;
    std::vector<exchange::request_id> asked_;
    std::set<connection_id> ended_;
};

TEST(connection_chaos, every_request_gets_one_result_and_nothing_is_left) {
    std::ptrdiff_t answered = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        answered += chaos(seed).run(400);
        if (HasFailure()) return;
    }
    EXPECT_GT(answered, 300) << "not only failures were tried";
}

}  // namespace
}  // namespace strandline::core::connection
