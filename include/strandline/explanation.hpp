// Why am I not receiving?
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/export.hpp>

namespace strandline::inline v0 {

// One who waits, and what for.
struct explanation_step {
    std::string who;                  // "poll", "group membership", ...
    std::string waits_for;            // in words
    std::chrono::milliseconds since;  // how long already
};

// From the published state alone: asking costs the consumer nothing.
struct explanation {
    std::string summary;                  // one sentence
    std::vector<explanation_step> chain;  // from the poll down to who would produce its input
    std::vector<std::string> remarks;     // partitions that stand, topics that are unknown, newest trouble
    bool contacted = false;               // a broker has answered since the consumer was made
    std::vector<error> network_trouble;   // addresses tried in vain since a broker was last reached
    std::vector<std::string> unknown_topics;  // subscribed, unknown to the cluster
};

STRANDLINE_API std::string to_string(const explanation& why);
STRANDLINE_API std::ostream& operator<<(std::ostream& out, const explanation& why);

}  // namespace strandline::inline v0
