// The situations in which a consumer has little or nothing to do, and what ours may cost in each.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace strandline::bench {

// What is done to the brokers once the client has settled.
enum class idle_fault {
    none,
    kill,        // the broker ends: connections are refused
    stop,        // SIGSTOP: its connections stay open and nothing is answered
    black_hole,  // from the beginning: the bootstrap address takes connections and never says anything
    no_name,     // from the beginning: the bootstrap name does not resolve
};

// Of ours; none: nothing is promised.
struct idle_bounds {
    std::optional<double> wakes = {};                // voluntary switches a second
    std::optional<double> processor = {};            // per cent of a core
    std::optional<double> bytes_per_partition = {};  // of resident memory, beyond what one partition takes
    std::optional<double> reactor_wakes_per_fetch = {};
};

struct idle_cell {
    std::string name;
    std::string what;
    int partitions = 1;
    std::vector<std::string> broker = {};  // options of the null broker
    std::string scenario = "idle";    // of the client
    std::vector<std::string> client = {};  // more options of it
    idle_fault fault = idle_fault::none;
    double wait = 0;      // seconds after the fault before it is watched
    double longer = 1;    // watched for so many times as long
    double fetches = 0;   // a second
    bool ours_only = false;
    bool with_real_broker = false;  // makes sense with any healthy cluster
    idle_bounds ours = {};
};

const std::vector<idle_cell>& idle_cells();

}  // namespace strandline::bench
