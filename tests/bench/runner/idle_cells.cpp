#include "tests/bench/runner/idle_cells.hpp"

namespace strandline::bench {
namespace {

// A record, or a batch of records, every so often.
std::vector<std::string> paced(const std::string& interval_us, const std::string& records) {
    return {"--mode", "paced", "--interval-us", interval_us, "--batch-records", records};
}

const std::vector<std::string> idle{"--mode", "idle"};
constexpr idle_bounds quiet{.wakes = 3, .processor = 0.1};
constexpr idle_bounds quiet_and_small{.wakes = 3, .processor = 0.1, .bytes_per_partition = 600};

}  // namespace

const std::vector<idle_cell>& idle_cells() {
    static const std::vector<idle_cell> cells{
        {.name = "idle-1",
         .what = "a member with 1 partition",
         .broker = idle,
         .with_real_broker = true,
         .ours = quiet},
        {.name = "idle-1000",
         .what = "a member with 1,000 partitions",
         .partitions = 1000,
         .broker = idle,
         .with_real_broker = true,
         .ours = quiet},
        {.name = "idle-10000",
         .what = "a member with 10,000 partitions",
         .partitions = 10'000,
         .broker = idle,
         .ours = quiet_and_small},
        {.name = "idle-100000",
         .what = "a member with 100,000 partitions",
         .partitions = 100'000,
         .broker = idle,
         .ours_only = true,
         .ours = quiet_and_small},
        {.name = "paused",
         .what = "a member with 8 partitions, all of them paused",
         .partitions = 8,
         .broker = idle,
         .scenario = "paused",
         .with_real_broker = true,
         .ours = quiet},
        {.name = "assigned",
         .what = "8 partitions assigned by hand, with a group id",
         .partitions = 8,
         .broker = idle,
         .scenario = "assigned",
         .with_real_broker = true,
         .ours = quiet},
        {.name = "paced",
         .what = "one record a second; whoever takes it wakes up as well",
         .broker = paced("1000000", "1"),
         .ours = {.wakes = 6, .processor = 0.1}},
        {.name = "draining",
         .what = "a batch of 500 records every 0.1 s, taken by max.poll.records=5",
         .broker = paced("100000", "500"),
         .scenario = "draining",
         .fetches = 10,
         .ours = {.reactor_wakes_per_fetch = 2}},
        {.name = "down",
         .what = "all brokers down for 1 s",
         .broker = idle,
         .fault = idle_fault::kill,
         .wait = 1,
         .ours = {.wakes = 5}},
        {.name = "down-later",
         .what = "all brokers down for 40 s",
         .broker = idle,
         .fault = idle_fault::kill,
         .wait = 40,
         .longer = 6,
         .ours = {.wakes = 0.2}},
        {.name = "frozen",
         .what = "a broker that has stopped, its connections open, under a member whose next heartbeats are due",
         .broker = idle,
         .fault = idle_fault::stop,
         .wait = 11,
         .ours = {.wakes = 3}},
        {.name = "black-hole",
         .what = "a bootstrap server that takes connections and never answers",
         .fault = idle_fault::black_hole,
         .ours = {.wakes = 3}},
        {.name = "no-coordinator",
         .what = "the coordinator is unavailable, nothing is assigned",
         .broker = {"--mode", "idle", "--coordinator", "unavailable"},
         .ours = {.wakes = 2}},
        {.name = "no-name",
         .what = "the name of the bootstrap server does not resolve",
         .fault = idle_fault::no_name,
         .ours = {.wakes = 5}},
        {.name = "overdue",
         .what = "a heartbeat in flight whose answer is overdue",
         .broker = {"--mode", "idle", "--heartbeats", "unanswered"},
         .wait = 11,
         .ours = {.wakes = 3}},
        {.name = "backoff-0",
         .what = "retry.backoff.ms=0, the coordinator unavailable",
         .broker = {"--mode", "idle", "--coordinator", "unavailable"},
         .client = {"--retry-backoff-ms", "0"},
         .ours = {.wakes = 2}},
    };
    return cells;
}

}  // namespace strandline::bench
