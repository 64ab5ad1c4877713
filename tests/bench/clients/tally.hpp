// What a client has read, in order and touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/bench/touch.hpp"

namespace strandline::bench {

class tally {
public:
    explicit tally(std::size_t partitions) : parts_(partitions) {}

    void add(std::int32_t partition, std::int64_t offset, const std::byte* value, std::size_t size) noexcept {
        auto& part = parts_[static_cast<std::size_t>(partition)];
        if (offset != part.records) ++out_of_order_;
        ++part.records;
        part.sum += touch(value, size);
    }

    std::int64_t records() const noexcept {
        std::int64_t all = 0;
        for (const auto& part : parts_) all += part.records;
        return all;
    }
    // " out-of-order=N 0=RECORDS:SUM 1=..." to standard output.
    void print() const;

private:
    struct partition_tally {
        std::int64_t records = 0;  // also the offset that comes next: everybody begins at 0
        std::uint64_t sum = 0;
    };
    std::vector<partition_tally> parts_;
    std::int64_t out_of_order_ = 0;
};

}  // namespace strandline::bench
