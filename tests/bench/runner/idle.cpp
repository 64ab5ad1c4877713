// Nothing to read: what waiting costs.
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/runner/bench_run.hpp"
#include "tests/bench/runner/process_usage.hpp"

namespace strandline::bench {
namespace {

struct figures {
    std::vector<double> switches;   // a second
    std::vector<double> processor;  // per cent of one core
    std::vector<double> memory;     // megabytes
};

void wait(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

}  // namespace

int run_idle(options& given) {
    const bench_run run(given, false);
    const auto partitions = given.text("partitions", "1");
    const auto settling = given.number("warm-up", 5);
    const auto seconds = given.number("seconds", 10);
    run.introduce(given, "idle: a member with " + partitions + " partitions in one poll without end, watched for " +
                             std::to_string(static_cast<int>(seconds)) + " s");
    const auto [broker, address] = run.start_broker({"--mode", "idle", "--partitions", partitions});
    std::map<std::string, figures> measured;
    for (int round = 0; round < run.rounds(); ++round) {
        for (const auto& one : run.clients()) {
            const auto process = run.start(
                one, "idle", address, {"--topic", "bench", "--group", "bench-" + one.name, "--partitions", partitions});
            wait(settling);
            const auto before = process_usage::of(process->id());
            wait(seconds);
            const auto after = process_usage::of(process->id());
            auto& its = measured[one.name];
            its.switches.push_back((after.voluntary_switches - before.voluntary_switches) / seconds);
            its.processor.push_back((after.processor_seconds - before.processor_seconds) / seconds * 100);
            its.memory.push_back(resident_memory::of(process->id()).now);
        }
    }
    print_head({"wake-ups/s", "% of a core", "resident MB"});
    for (const auto& one : run.clients()) {
        const auto& its = measured[one.name];
        print_row(one.name, {spread::of(its.switches), spread::of(its.processor), spread::of(its.memory)}, 3);
    }
    return 0;
}

}  // namespace strandline::bench
