// Random numbers come in as an argument: the system's generator in production, a seed in tests and simulation.
#pragma once

#include <cstdint>

#include "base/instant.hpp"

namespace strandline::base {

class random_source {
public:
    virtual ~random_source() = default;
    virtual std::uint64_t next() = 0;

    // Uniform in [0, bound); bound > 0.
    std::uint64_t below(std::uint64_t bound) { return next() % bound; }
    // `wait` moved by up to `fraction` of itself either way.
    duration jitter(duration wait, double fraction);
};

// A small, fast, reproducible generator (SplitMix64).
class seeded_random final : public random_source {
public:
    explicit seeded_random(std::uint64_t seed) noexcept : state_(seed) {}
    std::uint64_t next() override;

private:
    std::uint64_t state_;
};

}  // namespace strandline::base
