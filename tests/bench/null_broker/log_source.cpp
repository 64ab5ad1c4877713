#include "tests/bench/null_broker/log_source.hpp"

#include <array>
#include <cstring>

#include "records/batch_builder.hpp"
#include "records/batch_layout.hpp"
#include "tests/bench/clock.hpp"

namespace strandline::bench {

void flood_source::read(std::int32_t, std::int64_t offset, std::size_t max_bytes, std::vector<sent_batch>& out) const {
    auto base = offset - offset % log_.records_per_batch();
    std::size_t bytes = 0;
    while (true) {
        const sent_batch next{base, log_.batch_after_offset_field(base)};
        if (bytes > 0 && bytes + next.size() > max_bytes) return;
        out.push_back(next);
        bytes += next.size();
        base += log_.records_per_batch();
    }
}

void paced_source::append() {
    const auto now = monotonic_nanoseconds();
    std::array<std::byte, sizeof now> value;
    std::memcpy(value.data(), &now, sizeof now);
    records::batch_builder builder;
    for (std::int64_t i = 0; i < records_per_batch_; ++i) {
        builder.append({.timestamp = 1'700'000'000'000, .value = base::bytes_view(value)});
    }
    batches_.push_back(builder.build());
}

void paced_source::read(std::int32_t partition, std::int64_t offset, std::size_t max_bytes,
                        std::vector<sent_batch>& out) const {
    std::size_t bytes = 0;
    for (auto base = offset - offset % records_per_batch_; base < end_offset(partition); base += records_per_batch_) {
        const auto& batch = batches_[static_cast<std::size_t>(base / records_per_batch_)];
        if (bytes > 0 && bytes + batch.size() > max_bytes) return;
        out.push_back({base, batch.view().subspan(records::batch_layout::length)});
        bytes += batch.size();
    }
}

}  // namespace strandline::bench
