#include "testkit/simulator/order_twin.hpp"

#include <gtest/gtest.h>

#include "handoff/initial_snapshot.hpp"

namespace strandline::testkit::sim {
namespace {

using namespace std::chrono_literals;

struct standing_clock final : reactor::clock {
    base::instant now() const override { return base::instant(1000s); }
    base::wall_time wall() const override { return base::wall_time(2000s); }
};

struct nobody_else final : core::turn_probe {
    bool wants_audit(std::uint64_t) override { return false; }
    void on_begun(std::uint64_t, const core::turn_inputs&, base::instant) override {}
    void on_response(const core::exchange::response&) override {}
    void on_fact(std::uint64_t, const core::exchange::fact&, bool, bool) override {}
    void on_answer(core::kernel::manager_index, const core::exchange::plan&) override {}
    void on_output(core::kernel::manager_index, const core::exchange::output&) override {}
    void on_broken(core::contract_clause, const std::string&) override {}
    void on_decided(std::uint64_t, const core::decision&) override {}
};

core::boundary::core_config reading_from_one_broker() {
    core::boundary::core_config config;
    config.bootstrap_servers = {{"broker-1", 9092}};
    config.client_id = "reader";
    return config;
}

// The first turns of a core beside which another one is made with `others`.
std::vector<std::string> said_of_a_core_beside(const core::boundary::core_config& others, bool& still_compared) {
    constexpr std::uint64_t seed = 7;
    const auto config = reading_from_one_broker();
    standing_clock time;
    nobody_else next;
    std::vector<std::string> said;
    order_twin twin(next, time, seeded_choice(1, 1), [&](std::string words) { said.push_back(std::move(words)); });
    twin.begin(others, seed);
    base::seeded_random random(seed);
    core::consumer_core first(config, random, nullptr);
    first.look_on(&twin);
    for (int turn = 0; turn < 3; ++turn) {
        core::turn_inputs inputs;
        core::boundary::command::assign assigned;
        assigned.wanted.push_back({"orders", turn});
        inputs.commands.push_back(
            {core::boundary::operation_token(static_cast<std::uint64_t>(turn) + 1), base::never, assigned});
        static_cast<void>(first.turn(std::move(inputs), time.now(), time.wall()));
        twin.on_orders(first.take_effects().orders);
    }
    still_compared = twin.is_alive();
    return said;
}

core::exchange::connection_wanted wanted(core::exchange::connection_role role) {
    return {protocol::broker_id(1), role};
}

// Only one connection may be tried at a time while nobody can be reached, and the others wait for it.
TEST(turn_gist, connections_that_are_asked_for_in_another_order_are_numbered_otherwise) {
    using core::exchange::connection_role;
    turn_gist declared;
    declared.on_output(core::exchange::manager::metadata, wanted(connection_role::control));
    declared.on_output(core::exchange::manager::fetch, wanted(connection_role::fetch));
    auto asked_twice = declared;
    asked_twice.on_output(core::exchange::manager::position, wanted(connection_role::control));
    turn_gist other;
    other.on_output(core::exchange::manager::fetch, wanted(connection_role::fetch));
    other.on_output(core::exchange::manager::metadata, wanted(connection_role::control));
    EXPECT_TRUE(declared.is_numbered_as(asked_twice));
    EXPECT_FALSE(declared.is_numbered_as(other));
}

TEST(turn_gist, who_asks_for_other_connections_contends_for_an_attempt_only_while_nobody_can_be_reached) {
    using core::exchange::connection_role;
    for (const bool reachable : {false, true}) {
        auto network = std::make_shared<core::boundary::network_snapshot>();
        network->reachable = reachable;
        auto shown = std::make_shared<core::boundary::snapshot>(*handoff::initial_snapshot());
        shown->network = std::move(network);
        core::decision made;
        made.snapshot = std::move(shown);
        turn_gist declared;
        declared.on_output(core::exchange::manager::metadata, wanted(connection_role::control));
        declared.on_decided(1, made);
        auto other = declared;
        EXPECT_FALSE(declared.contends_for_an_attempt(other));
        other.on_output(core::exchange::manager::fetch, wanted(connection_role::fetch));
        EXPECT_EQ(declared.contends_for_an_attempt(other), !reachable);
    }
}

TEST(order_twin, says_nothing_of_a_core_that_decides_the_same) {
    bool still_compared = false;
    EXPECT_EQ(said_of_a_core_beside(reading_from_one_broker(), still_compared), std::vector<std::string>{});
    EXPECT_TRUE(still_compared);
}

TEST(order_twin, names_the_manager_that_decides_otherwise_and_compares_no_further) {
    auto others = reading_from_one_broker();
    others.rebootstrap_trigger = 1min;
    bool still_compared = true;
    const auto said = said_of_a_core_beside(others, still_compared);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said.front().find("waits otherwise"), std::string::npos) << said.front();
    EXPECT_FALSE(still_compared);
}

}  // namespace
}  // namespace strandline::testkit::sim
