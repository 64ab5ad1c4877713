// Which batches a read_committed consumer must not deliver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "records/record_batch.hpp"
#include "records/record_error.hpp"

namespace strandline::records {

// As the broker lists them beside the records: everything transactional of this producer from first_offset up to its
// next abort marker was aborted.
struct aborted_transaction {
    std::int64_t producer_id = -1;
    std::int64_t first_offset = 0;

    friend bool operator==(const aborted_transaction&, const aborted_transaction&) = default;
};

enum class batch_disposition : std::uint8_t {
    deliver,
    control,  // speaks to the reader, not to the application
    aborted   // belongs to a transaction that was aborted
};

// Belongs to the records of one answer for one partition; show it every batch of it, in order.
class aborted_transactions {
public:
    aborted_transactions() noexcept = default;
    // The list may be in any order and may repeat itself.
    explicit aborted_transactions(std::vector<aborted_transaction> list);

    // An error when a control batch cannot be read: what follows it cannot be judged.
    result<batch_disposition> disposition_of(const record_batch& batch);

private:
    void begin_up_to(std::int64_t offset);

    std::vector<aborted_transaction> by_first_offset_;
    std::size_t begun_ = 0;
    std::vector<std::int64_t> aborting_producers_;  // sorted
};

}  // namespace strandline::records
