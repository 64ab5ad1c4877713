// A test of one's own program against a Kafka cluster inside the process: no broker, no network, no waiting.
#include <chrono>
#include <iostream>

#include <strandline/consumer.hpp>
#include <strandline/testkit/fake_cluster.hpp>

using namespace std::chrono_literals;

namespace {

// What is to be tested: reads one order and commits it.
std::string my_program(const std::string& brokers) {
    strandline::consumer consumer(
        {.bootstrap_servers = brokers, .group_id = "billing", .auto_offset_reset = strandline::offset_reset::earliest});
    consumer.subscribe({"orders"});
    for (;;) {
        for (const auto& record : consumer.poll(1s)) {
            std::string value(record.value_text().value_or(""));
            consumer.commit(record);
            return value;
        }
    }
}

}  // namespace

int main() {
    bool all_held = true;
    const auto expect = [&](bool holds, const char* what) {
        if (!holds) std::cerr << "failed: " << what << "\n";
        all_held = all_held && holds;
    };

    strandline::testkit::fake_cluster cluster({.topics = {{"orders", 3}}});
    cluster.produce("orders", 0, {{.key = "k", .value = "v"}});

    // The first commit is refused, as when the coordinator is still loading.
    constexpr std::int16_t coordinator_load_in_progress = 14;
    int commits = 0;
    cluster.control(strandline::testkit::api::offset_commit, [&](strandline::testkit::controlled_request& request) {
        if (++commits == 1) request.fail(coordinator_load_in_progress);
    });

    expect(my_program(cluster.bootstrap_servers()) == "v", "the order is read");
    expect(commits >= 2, "the commit is tried again");
    expect(cluster.committed("billing").at({"orders", 0}).offset == 1, "the order is committed");
    expect(cluster.members("billing").empty(), "the group is left");
    std::cout << (all_held ? "ok\n" : "not as it should be\n");
    return all_held ? 0 : 1;
}
