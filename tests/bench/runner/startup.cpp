// From the constructor to the first record of a group that exists, in a process that has just started.
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "tests/bench/runner/bench_run.hpp"

namespace strandline::bench {

int run_startup(options& given) {
    const bench_run run(given, false);
    auto brokers = given.text("brokers", "");
    const auto topic = given.text("topic", "bench");
    run.introduce(given,
                  "startup: constructor to first record, " +
                      (brokers.empty() ? std::string("null broker") : "topic " + topic + " of the brokers given"));
    std::unique_ptr<child_process> broker;
    if (brokers.empty()) std::tie(broker, brokers) = run.start_broker({"--mode", "flood"});
    std::map<std::string, std::vector<double>> measured;
    // The round before the first makes the groups exist.
    for (int round = -1; round < run.rounds(); ++round) {
        for (const auto& one : run.clients()) {
            const auto process = run.start(one, "startup", brokers,
                                           {"--topic", topic, "--group", "startup-" + one.name, "--partitions", "8"});
            const auto result = run.result_of(*process, 60);
            if (round >= 0) measured[one.name].push_back(number(result, "milliseconds"));
            // Until it has left the group and ended.
            while (process->read_line(60)) {
            }
        }
    }
    print_head({"milliseconds"});
    for (const auto& one : run.clients()) print_row(one.name, {spread::of(measured[one.name])}, 1);
    return 0;
}

}  // namespace strandline::bench
