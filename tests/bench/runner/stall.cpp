// An application that has stopped polling while records keep coming: how much memory that takes.
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/runner/bench_run.hpp"
#include "tests/bench/runner/process_usage.hpp"

namespace strandline::bench {

int run_stall(options& given) {
    const bench_run run(given, false);
    const auto seconds = given.number("seconds", 10);
    run.introduce(given, "stall: resident memory " + std::to_string(static_cast<int>(seconds)) +
                             " s after the start, the application having polled once");
    const auto [broker, address] = run.start_broker({"--mode", "flood"});
    std::map<std::string, std::vector<double>> now;
    std::map<std::string, std::vector<double>> peak;
    for (int round = 0; round < run.rounds(); ++round) {
        for (const auto& one : run.clients()) {
            const auto process = run.start(one, "stall", address,
                                           {"--topic", "bench", "--group", "stall-" + one.name, "--partitions", "8"});
            std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
            const auto memory = resident_memory::of(process->id());
            now[one.name].push_back(memory.now);
            peak[one.name].push_back(memory.peak);
        }
    }
    print_head({"MB at the end", "MB at most"});
    for (const auto& one : run.clients())
        print_row(one.name, {spread::of(now[one.name]), spread::of(peak[one.name])}, 1);
    return 0;
}

}  // namespace strandline::bench
