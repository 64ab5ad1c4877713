#include "testkit/simulator/event_queue.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "testkit/simulator/scheduled_actions.hpp"

namespace strandline::testkit::sim {
namespace {

using namespace std::chrono_literals;

const base::instant start{1h};

class listing final : public event_target {
public:
    explicit listing(event_queue& queue) : queue_(queue) {}
    void on_event(std::uint64_t what) override { seen.emplace_back(queue_.now() - start, what); }
    std::vector<std::pair<base::duration, std::uint64_t>> seen;

private:
    event_queue& queue_;
};

TEST(event_queue, events_run_at_their_instants_and_in_the_order_asked_for_within_one) {
    event_queue queue(start);
    listing target(queue);
    queue.at(start + 2s, target, 1);
    queue.at(start + 1s, target, 2);
    queue.at(start + 2s, target, 3);
    while (queue.step(start + 5s)) {
    }
    const std::vector<std::pair<base::duration, std::uint64_t>> expected{{1s, 2}, {2s, 1}, {2s, 3}};
    EXPECT_EQ(target.seen, expected);
    EXPECT_EQ(queue.now(), start + 5s);
}

TEST(event_queue, what_is_asked_for_in_the_past_happens_now_and_what_is_never_does_not) {
    event_queue queue(start);
    listing target(queue);
    queue.at(start - 1s, target, 1);
    queue.at(base::never, target, 2);
    EXPECT_TRUE(queue.step(start));
    EXPECT_FALSE(queue.step(start + 1h));
    EXPECT_EQ(target.seen.size(), 1U);
}

TEST(event_queue, it_counts_what_happens_at_one_instant) {
    event_queue queue(start);
    listing target(queue);
    queue.at(start, target, 1);
    queue.at(start, target, 2);
    queue.at(start + 1s, target, 3);
    queue.step(start + 1s);
    queue.step(start + 1s);
    EXPECT_EQ(queue.events_of_this_instant(), 2U);
    queue.step(start + 1s);
    EXPECT_EQ(queue.events_of_this_instant(), 1U);
}

TEST(scheduled_actions, an_action_may_ask_for_another_at_the_same_instant) {
    event_queue queue(start);
    scheduled_actions actions(queue);
    int runs = 0;
    actions.at(start + 1s, [&] {
        ++runs;
        actions.at(queue.now(), [&] { ++runs; });
    });
    while (queue.step(start + 1s)) {
    }
    EXPECT_EQ(runs, 2);
}

}  // namespace
}  // namespace strandline::testkit::sim
