// One record at a time: microseconds from the append to the application.
#include <map>
#include <string>
#include <vector>

#include "tests/bench/runner/bench_run.hpp"

namespace strandline::bench {

int run_latency(options& given) {
    const bench_run run(given, false);
    const auto interval = given.text("interval-us", "1000");
    const auto warm_up = given.text("warm-up", "3");
    const auto seconds = given.text("seconds", "5");
    run.introduce(given, "latency: one record every " + interval + " us, " + seconds + " s");
    std::map<std::string, std::vector<double>> median;
    std::map<std::string, std::vector<double>> worst;
    for (int round = 0; round < run.rounds(); ++round) {
        for (const auto& one : run.clients()) {
            const auto [broker, address] =
                run.start_broker({"--mode", "paced", "--interval-us", interval, "--partitions", "1"});
            const auto process = run.start(one, "latency", address,
                                           {"--topic", "bench", "--group", "bench-" + one.name, "--partitions", "1",
                                            "--warm-up", warm_up, "--seconds", seconds});
            const auto result = run.result_of(*process, std::stod(warm_up) + std::stod(seconds) + 30);
            median[one.name].push_back(number(result, "p50"));
            worst[one.name].push_back(number(result, "p99"));
        }
    }
    print_head({"p50, us", "p99, us"});
    for (const auto& one : run.clients()) {
        print_row(one.name, {spread::of(median[one.name]), spread::of(worst[one.name])}, 1);
    }
    return 0;
}

}  // namespace strandline::bench
