// Our consumer, by its public headers.
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include <strandline/consumer.hpp>

#include "tests/bench/clients/measured_window.hpp"
#include "tests/bench/clients/scenario.hpp"
#include "tests/bench/clock.hpp"

namespace strandline::bench {
namespace {

constexpr std::chrono::milliseconds for_ever = std::chrono::milliseconds::max();
constexpr std::chrono::milliseconds a_while{100};

consumer_config by_hand(const scenario& wanted) {
    return {.bootstrap_servers = wanted.brokers, .auto_offset_reset = offset_reset::earliest};
}

consumer_config in_group(const scenario& wanted) {
    consumer_config config{
        .bootstrap_servers = wanted.brokers, .group_id = wanted.group, .auto_offset_reset = offset_reset::earliest};
    if (wanted.retry_backoff_ms >= 0) config.retry_backoff = std::chrono::milliseconds(wanted.retry_backoff_ms);
    if (wanted.name == "draining") config.max_poll_records = 5;
    return config;
}

partitions all_partitions(const scenario& wanted) {
    partitions all;
    for (std::size_t i = 0; i < wanted.partitions; ++i) all.push_back({wanted.topic, static_cast<std::int32_t>(i)});
    return all;
}

void flood(const scenario& wanted) {
    consumer reading(by_hand(wanted));
    reading.assign(all_partitions(wanted));
    tally read(wanted.partitions);
    measured_window window(wanted.warm_up, wanted.seconds);
    while (window.goes_on(read)) {
        auto polled = reading.poll(a_while);
        for (const auto& one : polled) {
            const auto value = one.value().value_or(bytes{});
            read.add(one.partition(), one.offset(), value.data(), value.size());
        }
    }
    window.print(read);
}

void latency(const scenario& wanted) {
    consumer reading(by_hand(wanted));
    reading.assign(all_partitions(wanted));
    std::vector<double> latencies;
    const auto begin = monotonic_seconds() + wanted.warm_up;
    while (monotonic_seconds() < begin + wanted.seconds) {
        auto polled = reading.poll(a_while);
        for (const auto& one : polled) {
            const auto now = monotonic_nanoseconds();
            std::int64_t appended = 0;
            std::memcpy(&appended, one.value()->data(), sizeof appended);
            if (static_cast<double>(now) * 1e-9 >= begin)
                latencies.push_back(static_cast<double>(now - appended) * 1e-3);
        }
    }
    print_latencies(std::move(latencies));
}

// An error that a poll reports is not the end of waiting.
[[noreturn]] void wait_for_ever(consumer& waiting) {
    while (true) {
        auto polled = waiting.try_poll(for_ever);
        if (!polled) continue;
        for (const auto& one : *polled) static_cast<void>(one);
    }
}

void idle(const scenario& wanted) {
    consumer waiting(in_group(wanted));
    if (wanted.name == "assigned") {
        waiting.assign(all_partitions(wanted));
    } else {
        waiting.subscribe({wanted.topic});
    }
    if (wanted.name == "paused") {
        while (waiting.assignment().empty()) waiting.poll(a_while);
        waiting.pause(waiting.assignment());
    }
    wait_for_ever(waiting);
}

void startup(const scenario& wanted) {
    const auto before = monotonic_seconds();
    consumer starting(in_group(wanted));
    starting.subscribe({wanted.topic});
    while (true) {
        auto polled = starting.poll(for_ever);
        auto first = polled.begin();
        if (first == polled.end()) continue;
        print_milliseconds(before, monotonic_seconds());
        ++first;  // so that there is something to commit
        return;
    }
}

void close(const scenario& wanted) {
    consumer closing(in_group(wanted));
    closing.subscribe({wanted.topic});
    while (!told_to_go_on()) closing.poll(a_while);
    const auto before = monotonic_seconds();
    closing.close(std::chrono::seconds(5));
    print_milliseconds(before, monotonic_seconds());
}

void stall(const scenario& wanted) {
    consumer stalling(in_group(wanted));
    stalling.subscribe({wanted.topic});
    auto held = stalling.poll(for_ever);
    while (held.empty()) held = stalling.poll(for_ever);
    while (!told_to_go_on()) std::this_thread::sleep_for(a_while);
}

}  // namespace

int run_strandline_client(const scenario& wanted) {
    if (wanted.name == "flood") flood(wanted);
    if (wanted.name == "latency") latency(wanted);
    for (const auto* waits : {"idle", "paused", "assigned", "draining"}) {
        if (wanted.name == waits) idle(wanted);
    }
    if (wanted.name == "startup") startup(wanted);
    if (wanted.name == "close") close(wanted);
    if (wanted.name == "stall") stall(wanted);
    return 0;
}

}  // namespace strandline::bench
