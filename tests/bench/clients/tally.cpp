#include "tests/bench/clients/tally.hpp"

#include <cinttypes>
#include <cstdio>

namespace strandline::bench {

void tally::print() const {
    std::printf(" out-of-order=%" PRId64, out_of_order_);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        std::printf(" %zu=%" PRId64 ":%" PRIu64, i, parts_[i].records, parts_[i].sum);
    }
}

}  // namespace strandline::bench
