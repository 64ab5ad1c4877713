// The command line of strandline-simulate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <strandline/error.hpp>

namespace strandline::simulation {

struct options {
    // ---- what to run: seeds A..B, as many as fit into hours, a plan, or the standard set
    std::optional<std::uint64_t> first_seed;
    std::uint64_t last_seed = 0;
    std::optional<double> hours;  // of consumers' virtual time
    std::string plan_file;
    bool standard = false;
    bool lists_checkers = false;
    std::string profile = "mixed";
    // ---- how
    int jobs = 1;
    bool trace = false;
    bool twice = false;  // and the traces compared
    bool digests = false;  // of the traces, printed
    bool lists_situations = false;  // that were come into
    bool shrinks = false;
    bool shows_plan = false;
    std::string results_file;  // totals as key=value, for tools/soak
    bool help = false;
};

// The error says what is wrong with which word, and what would be right.
result<options> parse_options(const std::vector<std::string>& words);
std::string usage();

}  // namespace strandline::simulation
