// Minimum, median and maximum of what the rounds gave.
#pragma once

#include <algorithm>
#include <vector>

namespace strandline::bench {

struct spread {
    double min = 0;
    double median = 0;
    double max = 0;

    static spread of(std::vector<double> values) {
        if (values.empty()) return {};
        std::sort(values.begin(), values.end());
        const auto middle = values.size() / 2;
        const auto median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
        return {values.front(), median, values.back()};
    }
};

}  // namespace strandline::bench
