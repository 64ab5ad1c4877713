#include "client/fetched_batches.hpp"

#include <algorithm>

#include "records/aborted_transactions.hpp"
#include "records/batch_scanner.hpp"

namespace strandline::client {

fetched_batches::fetched_batches(std::shared_ptr<const core::boundary::completed_fetch> source)
    : source_(std::move(source)) {
    // The reactor has verified the checksums before it moved a position past these bytes.
    records::batch_scanner scanner(source_->batches, {.verify_checksums = false});
    const bool read_committed = source_->isolation == core::boundary::isolation_level::read_committed;
    records::aborted_transactions aborted(read_committed ? source_->aborted
                                                         : std::vector<records::aborted_transaction>());
    records::record_batch batch;
    auto status = records::scan_status::batch;
    while ((status = scanner.next(batch)) == records::scan_status::batch) {
        const auto disposition = aborted.disposition_of(batch);
        if (!disposition) {
            failure_ = disposition.error();
            return;
        }
        if (*disposition == records::batch_disposition::deliver && batch.record_count() != 0) {
            batches_.push_back(batch);
        }
    }
    if (status == records::scan_status::corrupt) failure_ = scanner.error();
}

std::size_t fetched_batches::first_reaching(std::int64_t offset) const noexcept {
    const auto found = std::ranges::partition_point(
        batches_, [&](const records::record_batch& batch) { return batch.last_offset() < offset; });
    return static_cast<std::size_t>(found - batches_.begin());
}

bool fetched_batches::may_have_records(std::int64_t from, std::int64_t to) const noexcept {
    if (failure_) return true;
    const auto index = first_reaching(from);
    if (index == batches_.size()) return false;
    // Of a compressed message only the last offset is known before it is decompressed.
    return batches_[index].is_legacy() || batches_[index].base_offset() < to;
}

void fetched_batches::leave(continuation next) {
    const std::lock_guard held(mutex_);
    continuation_ = std::move(next);
}

std::optional<fetched_batches::continuation> fetched_batches::take(std::size_t batch, std::int64_t from) {
    const std::lock_guard held(mutex_);
    if (!continuation_ || continuation_->batch != batch || continuation_->first.offset < from) return std::nullopt;
    return std::exchange(continuation_, std::nullopt);
}

}  // namespace strandline::client
