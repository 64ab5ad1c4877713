// Starts, ends and collects runs of the tool.
#include "tests/live/tool.hpp"

#include <csignal>

#include "tests/live/installation.hpp"
#include "tests/live/patience.hpp"

namespace strandline::live {

std::unique_ptr<child_process> start_consume(const kafka_cluster& cluster, const arguments& given,
                                             bool collect_output) {
    arguments command{strandline_tool(), "consume", "-J", "-b", cluster.bootstrap_servers()};
    command.insert(command.end(), given.begin(), given.end());
    return std::make_unique<child_process>(
        child_options{.command = std::move(command), .collect_output = collect_output});
}

tool_result finish(child_process& run, std::chrono::milliseconds timeout) {
    const auto begin = std::chrono::steady_clock::now();
    const auto status = run.wait(timeout);
    if (!status) {
        // Its own answer to "why do I receive nothing" belongs into the report.
        run.send_signal(SIGUSR1);
        run.wait(std::chrono::milliseconds(500));
        throw not_in_time("strandline consume did not end within " + std::to_string(timeout.count()) + " ms after " +
                          std::to_string(run.output().count()) + " lines; it said:\n" + run.errors().text());
    }
    const auto took = std::chrono::steady_clock::now() - begin;
    return {.status = *status,
            .lines = run.output().lines(),
            .errors = run.errors().text(),
            .took = std::chrono::duration_cast<std::chrono::milliseconds>(took)};
}

tool_result interrupt(child_process& run, std::chrono::milliseconds timeout) {
    run.send_signal(SIGINT);
    return finish(run, timeout);
}

tool_result consume(const kafka_cluster& cluster, const arguments& given, std::chrono::milliseconds timeout) {
    const auto run = start_consume(cluster, given);
    return finish(*run, timeout);
}

}  // namespace strandline::live
