// What a client process is told to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/bench/options.hpp"

namespace strandline::bench {

// Scenarios, by name; each client knows them:
//   flood    read all partitions by hand from offset 0 and print what came of it
//   latency  the same with one record at a time, whose value is the time at which it was appended
//   idle     join the group and wait in one poll for ever
//   paused   the same with every partition paused
//   assigned the same with all partitions assigned by hand, the group given
//   draining join the group and take five records with each poll
//   startup  join the group and print the milliseconds from before the constructor to the first record
//   close    join the group, poll until a line comes in, then print the milliseconds that closing takes
//   stall    join the group, poll until records come, then never again
struct scenario {
    std::string name;
    std::string brokers;
    std::string topic;
    std::string group;
    std::size_t partitions;
    double warm_up;
    double seconds;
    std::string library;  // librdkafka's
    std::int64_t retry_backoff_ms;  // -1: the client's own

    explicit scenario(options& given);
};

// Whether the runner has told us to go on, without waiting for it.
bool told_to_go_on();

void print_milliseconds(double since, double until);

// Of the latencies in microseconds.
void print_latencies(std::vector<double> latencies);

int run_strandline_client(const scenario& wanted);
int run_ideal_loop(const scenario& wanted);
int run_librdkafka_client(const scenario& wanted);

}  // namespace strandline::bench
