#include "tests/bench/clients/scenario.hpp"

#include <algorithm>
#include <cstdio>
#include <poll.h>
#include <unistd.h>

namespace strandline::bench {

scenario::scenario(options& given)
    : name(given.text("scenario", "flood")),
      brokers(given.text("brokers", "")),
      topic(given.text("topic", "bench")),
      group(given.text("group", "bench")),
      partitions(static_cast<std::size_t>(given.integer("partitions", 8))),
      warm_up(given.number("warm-up", 1)),
      seconds(given.number("seconds", 3)),
      library(given.text("library", "librdkafka.so.1")),
      retry_backoff_ms(given.integer("retry-backoff-ms", -1)) {
    given.refuse_others();
}

bool told_to_go_on() {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return ::poll(&input, 1, 0) > 0;
}

void print_milliseconds(double since, double until) {
    std::printf("result milliseconds=%.3f\n", (until - since) * 1e3);
    std::fflush(stdout);
}

void print_latencies(std::vector<double> latencies) {
    std::sort(latencies.begin(), latencies.end());
    const auto at = [&](double share) {
        const auto last = latencies.size() - 1;
        return latencies.empty() ? 0.0 : latencies[static_cast<std::size_t>(share * static_cast<double>(last))];
    };
    std::printf("result records=%zu p50=%.1f p99=%.1f\n", latencies.size(), at(0.5), at(0.99));
    std::fflush(stdout);
}

}  // namespace strandline::bench
