// The part of a run that counts: what comes before it is warm-up.
#pragma once

#include <cstdint>

#include "tests/bench/clients/tally.hpp"

namespace strandline::bench {

class measured_window {
public:
    measured_window(double warm_up, double seconds);

    // To be asked now and then, between polls. False: it is over.
    bool goes_on(const tally& read);
    // The line that the runner reads.
    void print(const tally& read) const;

private:
    struct reading {
        double time = 0;
        double processor = 0;
        std::int64_t records = 0;
    };
    static reading take(const tally& read);

    double begins_at_;
    double seconds_;
    bool begun_ = false;
    reading first_;
    reading last_;
};

}  // namespace strandline::bench
