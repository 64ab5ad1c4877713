// strandline-bench COMMAND [--option value]...: compares consumers side by side (docs/performance.md).
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/clients/scenario.hpp"
#include "tests/bench/null_broker/null_broker.hpp"
#include "tests/bench/options.hpp"
#include "tests/bench/runner/bench_run.hpp"

namespace {

using namespace strandline::bench;

constexpr const char* usage =
    "usage: strandline-bench flood|latency|idle|startup|close|stall [--option value]...\n"
    "  all:      --rounds 5  --only strandline,ideal,librdkafka,java-classic,java-consumer  --peers FOLDER\n"
    "            --cpus both|apart\n"
    "  flood:    --value-size 100  --codec none|gzip|snappy|lz4|zstd  --batch-bytes N  --partitions 8\n"
    "            --warm-up 3  --seconds 3\n"
    "  latency:  --interval-us 1000  --warm-up 3  --seconds 5\n"
    "  idle:     --cells idle-1,idle-10000,...  --warm-up 8  --seconds 5\n"
    "            --brokers HOST:PORT  --topic NAME (otherwise the null broker)\n"
    "  startup:  --brokers HOST:PORT  --topic NAME (otherwise the null broker)\n"
    "  close:    --broker healthy|gone|frozen  --limit 120\n"
    "  stall:    --seconds 10\n"
    "Peers are fetched by tests/bench/fetch_peers FOLDER; those that are absent are left out.\n";

int run_client(const std::vector<std::string>& arguments) {
    if (arguments.empty()) throw std::runtime_error("which client?");
    options given({arguments.begin() + 1, arguments.end()});
    const scenario wanted(given);
    if (arguments[0] == ours) return run_strandline_client(wanted);
    if (arguments[0] == ideal) return run_ideal_loop(wanted);
    if (arguments[0] == "librdkafka") return run_librdkafka_client(wanted);
    throw std::runtime_error("no client is called '" + arguments[0] + "'");
}

int run(const std::string& command, const std::vector<std::string>& arguments) {
    if (command == "client") return run_client(arguments);
    options given(arguments);
    if (command == "null-broker") return run_null_broker(given);
    if (command == "flood") return run_flood(given);
    if (command == "latency") return run_latency(given);
    if (command == "idle") return run_idle(given);
    if (command == "startup") return run_startup(given);
    if (command == "close") return run_close(given);
    if (command == "stall") return run_stall(given);
    std::fputs(usage, stderr);
    return 2;
}

}  // namespace

int main(int count, char** words) {
    try {
        const std::vector<std::string> arguments(words + 1, words + count);
        if (arguments.empty() || arguments[0] == "--help") {
            std::fputs(usage, arguments.empty() ? stderr : stdout);
            return arguments.empty() ? 2 : 0;
        }
        return run(arguments[0], {arguments.begin() + 1, arguments.end()});
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "strandline-bench: %s\n", failure.what());
        return 1;
    }
}
