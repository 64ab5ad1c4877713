// One's own consumer loop, as a coroutine, through a bad day: two members, a broker that stops, a crash. In virtual
// time, so the day takes no longer than the work in it.
#include <chrono>
#include <iostream>
#include <map>
#include <string>

#include <strandline/coroutine.hpp>
#include <strandline/testkit/simulation.hpp>

using namespace std::chrono_literals;
using strandline::testkit::simulated_process_handle;
using strandline::testkit::simulated_task;

namespace {

// Where the loop puts what it reads: by order, how often it came.
using ledger = std::map<std::string, int>;

// What is to be tried out: books each order, commits after each poll.
simulated_task<> book_orders(simulated_process_handle self, ledger& booked) {
    auto& consumer = self.consumer();
    co_await consumer.subscribe(std::string("orders"));
    for (;;) {
        {
            auto records = co_await consumer.poll(1s);
            for (const auto& record : records) {
                ++booked[std::string(record.value_text().value_or(""))];
                co_await self.sleep(20ms);
            }
        }
        co_await consumer.try_commit();
    }
}

}  // namespace

int main() {
    bool all_held = true;
    const auto expect = [&](bool holds, const char* what) {
        if (!holds) std::cerr << "failed: " << what << "\n";
        all_held = all_held && holds;
    };
    ledger booked;
    strandline::testkit::simulation day({.seed = 7, .topics = {{"orders", 4, 2}}, .brokers = 2});
    const strandline::consumer_config config{.group_id = "billing",
                                             .auto_offset_reset = strandline::offset_reset::earliest};
    const auto loop = [&booked](simulated_process_handle self) { return book_orders(self, booked); };
    day.start(config, loop);
    const int second = day.start(config, loop);

    int orders = 0;
    const auto order_some = [&](int count) {
        for (int i = 0; i < count; ++i, ++orders) {
            day.produce("orders", orders % 4, {{.value = "order " + std::to_string(orders)}});
        }
    };
    const auto all_booked = [&] { return static_cast<int>(booked.size()) == orders; };

    day.run_for(10s);
    order_some(100);
    expect(day.run_until(all_booked, 1min), "orders are booked by two members");

    day.stop_broker(1, 30s);
    day.run_for(1h);
    order_some(100);
    expect(day.run_until(all_booked, 2min), "orders are booked after a broker was away");

    order_some(100);
    day.run_for(300ms);
    day.crash(second);
    expect(day.run_until(all_booked, 5min), "what the crashed member had is booked by the other");
    day.restart(second);
    day.run_for(1min);
    expect(day.members("billing").size() == 2, "the crashed member is back");

    int twice = 0;
    for (const auto& [order, times] : booked) twice += times > 1 ? 1 : 0;
    std::cout << orders << " orders booked in " << day.elapsed().count() / 1000 << " s of virtual time, " << twice
              << " of them again after the crash\n";
    expect(day.failure(1).empty() && day.failure(second).empty(), "no loop has thrown");
    return all_held ? 0 : 1;
}
