// Which situations were reached, and how often: what a set of runs has not reached it has not tested.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace strandline::testkit::sim {

// By name: "member stable -> fenced", "fetch answers NOT_LEADER_OR_FOLLOWER", "stop_broker".
class situations {
public:
    void reach(const std::string& name, std::uint64_t times = 1) { counts_[name] += times; }
    void add(const situations& other) {
        for (const auto& [name, times] : other.counts_) counts_[name] += times;
    }
    const std::map<std::string, std::uint64_t>& counts() const noexcept { return counts_; }
    bool has(const std::string& name) const { return counts_.contains(name); }

private:
    std::map<std::string, std::uint64_t> counts_;
};

}  // namespace strandline::testkit::sim
