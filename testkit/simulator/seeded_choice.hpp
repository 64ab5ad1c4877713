// Random choices of a simulation. Every kind of decision draws from a stream of its own, so that one more draw here
// changes nothing there, and a shortened plan still meets the same consumers.
#pragma once

#include <cstdint>

#include "base/instant.hpp"
#include "base/random_source.hpp"

namespace strandline::testkit::sim {

class seeded_choice {
public:
    // Streams of one seed are independent of each other.
    seeded_choice(std::uint64_t seed, std::uint64_t stream) noexcept
        : random_(base::seeded_random(seed ^ (stream * 0xd1342543de82ef95U)).next()) {}

    // In [from, to].
    std::int64_t between(std::int64_t from, std::int64_t to) {
        return from + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(to - from) + 1));
    }
    base::duration between(base::duration from, base::duration to) {
        return base::duration(between(from.count(), to.count()));
    }
    // True in so many of a hundred cases.
    bool chance(int percent) { return random_.below(100) < static_cast<std::uint64_t>(percent); }
    template <class Sequence>
    auto& one_of(Sequence&& all) {
        return all[random_.below(all.size())];
    }
    base::random_source& source() noexcept { return random_; }

private:
    base::seeded_random random_;
};

}  // namespace strandline::testkit::sim
