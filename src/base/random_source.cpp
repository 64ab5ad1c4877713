#include "base/random_source.hpp"

namespace strandline::base {

duration random_source::jitter(duration wait, double fraction) {
    const double unit = static_cast<double>(next() >> 11U) * 0x1.0p-53;  // [0, 1)
    return duration(
        static_cast<duration::rep>(static_cast<double>(wait.count()) * (1.0 + fraction * (2.0 * unit - 1.0))));
}

std::uint64_t seeded_random::next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

}  // namespace strandline::base
