#include "records/aborted_transactions.hpp"

#include <algorithm>
#include <utility>

#include "records/control_record.hpp"

namespace strandline::records {

aborted_transactions::aborted_transactions(std::vector<aborted_transaction> list) : by_first_offset_(std::move(list)) {
    std::ranges::sort(by_first_offset_, {}, &aborted_transaction::first_offset);
}

result<batch_disposition> aborted_transactions::disposition_of(const record_batch& batch) {
    begin_up_to(batch.last_offset());
    if (batch.is_control()) {
        // Nothing is being aborted most of the time, and then no marker matters.
        if (aborting_producers_.empty()) return batch_disposition::control;
        const auto marker = read_control_record(batch);
        if (!marker) return tl::unexpected(marker.error());
        // One marker ends one transaction; the same producer's next aborted one has its own entry, begun later.
        if (*marker && (*marker)->type == control_record_type::abort) {
            const auto range = std::ranges::equal_range(aborting_producers_, batch.producer_id());
            aborting_producers_.erase(range.begin(), range.end());
        }
        return batch_disposition::control;
    }
    if (batch.is_transactional() && std::ranges::binary_search(aborting_producers_, batch.producer_id())) {
        return batch_disposition::aborted;
    }
    return batch_disposition::deliver;
}

void aborted_transactions::begin_up_to(std::int64_t offset) {
    for (; begun_ < by_first_offset_.size() && by_first_offset_[begun_].first_offset <= offset; ++begun_) {
        const auto producer_id = by_first_offset_[begun_].producer_id;
        const auto place = std::ranges::lower_bound(aborting_producers_, producer_id);
        if (place == aborting_producers_.end() || *place != producer_id) aborting_producers_.insert(place, producer_id);
    }
}

}  // namespace strandline::records
