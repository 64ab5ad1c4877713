// How long closing takes: with a healthy broker, with none any more, and with one that has stopped answering.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/runner/bench_run.hpp"

namespace strandline::bench {
namespace {

void wait(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

}  // namespace

int run_close(options& given) {
    const bench_run run(given, false);
    const auto broker_is = given.text("broker", "healthy");
    const auto limit = given.number("limit", 120);
    if (broker_is != "healthy" && broker_is != "gone" && broker_is != "frozen") {
        throw std::runtime_error("--broker is healthy, gone or frozen");
    }
    run.introduce(given, "close: a member whose fetch waits at the broker, which is " + broker_is);
    std::map<std::string, std::vector<double>> measured;
    for (int round = 0; round < run.rounds(); ++round) {
        for (const auto& one : run.clients()) {
            const auto [broker, address] = run.start_broker({"--mode", "idle"});
            const auto process = run.start(one, "close", address,
                                           {"--topic", "bench", "--group", "close-" + one.name, "--partitions", "8"});
            wait(3);
            if (broker_is == "gone") broker->send_signal(SIGKILL);
            if (broker_is == "frozen") broker->send_signal(SIGSTOP);
            if (broker_is != "healthy") wait(1);
            process->write_line("close");
            measured[one.name].push_back(number(run.result_of(*process, limit), "milliseconds"));
        }
    }
    print_head({"milliseconds"});
    for (const auto& one : run.clients()) print_row(one.name, {spread::of(measured[one.name])}, 1);
    return 0;
}

}  // namespace strandline::bench
