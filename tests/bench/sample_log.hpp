// The log that the null broker serves, and what reading it must amount to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "records/compression_codec.hpp"
#include "tests/bench/touch.hpp"

namespace strandline::bench {

struct log_shape {
    std::size_t value_size = 100;
    records::compression_codec codec = records::compression_codec::none;
    std::size_t batch_bytes = 16 * 1024;  // before compression
};

// Throws when there is no codec of this name.
records::compression_codec codec_named(const std::string& name);

// Endless: a few batches that repeat, the same in each partition. Only a batch's first eight bytes, its base offset,
// differ from one place in the log to another.
class sample_log {
public:
    explicit sample_log(const log_shape& shape);

    std::int64_t records_per_batch() const noexcept { return records_per_batch_; }
    // The batch that contains this offset, without its base offset.
    base::bytes_view batch_after_offset_field(std::int64_t offset) const noexcept;
    // Sum of touch() over the records [0, count) of one partition.
    std::uint64_t sum_of_first(std::int64_t count) const noexcept;

private:
    std::int64_t records_per_batch_;
    std::vector<base::shared_bytes> batches_;
    std::vector<std::uint64_t> sums_{0};  // sums_[n]: of the first n records of one cycle through the batches
};

}  // namespace strandline::bench
