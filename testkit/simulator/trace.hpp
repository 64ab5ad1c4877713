// A run as lines of text: what happened, in order, with nothing in it that differs from run to run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "testkit/simulator/checkers/observation.hpp"

namespace strandline::testkit::sim {

// "12.345678901 consumer-2 turn 17 decides: version 16, ...". Times are from the beginning of the simulation.
std::string to_string(const observation& seen);

// Makes a line of each observation, keeps a checksum of all, and hands the lines on if anybody wants them.
class trace final : public observer {
public:
    using sink = std::function<void(std::string_view line)>;

    explicit trace(sink lines = {}) : lines_(std::move(lines)) {}
    void on(const observation& seen) override;

    // Equal for equal traces (FNV-1a).
    std::uint64_t checksum() const noexcept { return checksum_; }
    std::uint64_t lines() const noexcept { return count_; }

private:
    sink lines_;
    std::uint64_t checksum_ = 0xcbf29ce484222325U;
    std::uint64_t count_ = 0;
};

}  // namespace strandline::testkit::sim
