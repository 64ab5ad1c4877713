#include "core/fetch/verified_batches.hpp"

#include <algorithm>

namespace strandline::core::fetch {

verified_batches verify_batches(const base::shared_bytes& bytes, std::int64_t position,
                                const records::scan_options& options) {
    verified_batches verified;
    verified.next_offset = position;
    records::batch_scanner scanner(bytes, options);
    records::record_batch batch;
    while ((verified.ended = scanner.next(batch)) == records::scan_status::batch) {
        // Past the whole batch, whichever of its records compaction left: stopping at the last one that is there would
        // fetch the same batch for ever.
        if (batch.next_offset() <= verified.next_offset) continue;
        verified.next_offset = batch.next_offset();
        if (batch.leader_epoch() >= 0) verified.leader_epoch = batch.leader_epoch();
    }
    verified.bytes = bytes.slice(0, scanner.consumed());
    if (verified.ended == records::scan_status::truncated) verified.whole_size = scanner.truncated_batch_size();
    if (verified.ended == records::scan_status::corrupt) verified.corrupt = scanner.error();
    return verified;
}

}  // namespace strandline::core::fetch
