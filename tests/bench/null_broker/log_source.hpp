// Where the null broker takes records from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "base/bytes.hpp"
#include "tests/bench/sample_log.hpp"

namespace strandline::bench {

// A batch as it is sent: its base offset, then the rest, which outlives the answer.
struct sent_batch {
    std::int64_t base_offset;
    base::bytes_view rest;

    std::size_t size() const noexcept { return sizeof base_offset + rest.size(); }
};

class log_source {
public:
    virtual ~log_source() = default;
    virtual std::int64_t end_offset(std::int32_t partition) const = 0;
    // Appends the batches from `offset` on, as many as fit into `max_bytes`, at least one if there is one.
    virtual void read(std::int32_t partition, std::int64_t offset, std::size_t max_bytes,
                      std::vector<sent_batch>& out) const = 0;
};

// No record ever comes.
class empty_source final : public log_source {
public:
    std::int64_t end_offset(std::int32_t) const override { return 0; }
    void read(std::int32_t, std::int64_t, std::size_t, std::vector<sent_batch>&) const override {}
};

// There are always more records.
class flood_source final : public log_source {
public:
    explicit flood_source(const log_shape& shape) : log_(shape) {}
    std::int64_t end_offset(std::int32_t) const override { return std::int64_t{1} << 50; }
    void read(std::int32_t partition, std::int64_t offset, std::size_t max_bytes,
              std::vector<sent_batch>& out) const override;

private:
    sample_log log_;
};

// Partition 0 grows by one batch at a time, of records whose value is the time at which they were appended.
class paced_source final : public log_source {
public:
    explicit paced_source(std::int64_t records_per_batch) : records_per_batch_(records_per_batch) {}
    void append();
    std::int64_t end_offset(std::int32_t partition) const override {
        return partition == 0 ? static_cast<std::int64_t>(batches_.size()) * records_per_batch_ : 0;
    }
    void read(std::int32_t partition, std::int64_t offset, std::size_t max_bytes,
              std::vector<sent_batch>& out) const override;

private:
    std::int64_t records_per_batch_;
    std::deque<base::shared_bytes> batches_;
};

}  // namespace strandline::bench
