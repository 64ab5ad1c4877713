#include "tests/bench/clients/measured_window.hpp"

#include <cinttypes>
#include <cstdio>

#include "tests/bench/clock.hpp"

namespace strandline::bench {

measured_window::measured_window(double warm_up, double seconds)
    : begins_at_(monotonic_seconds() + warm_up), seconds_(seconds) {}

measured_window::reading measured_window::take(const tally& read) {
    return {monotonic_seconds(), processor_seconds(), read.records()};
}

bool measured_window::goes_on(const tally& read) {
    const auto now = monotonic_seconds();
    if (!begun_) {
        if (now >= begins_at_) {
            begun_ = true;
            first_ = take(read);
        }
        return true;
    }
    if (now < first_.time + seconds_) return true;
    last_ = take(read);
    return false;
}

void measured_window::print(const tally& read) const {
    std::printf("result seconds=%.6f processor=%.6f records=%" PRId64, last_.time - first_.time,
                last_.processor - first_.processor, last_.records - first_.records);
    read.print();
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace strandline::bench
