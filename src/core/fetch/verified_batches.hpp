// The bytes that a broker sent for one partition, checked batch by batch before a position moves past them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.hpp"
#include "records/batch_scanner.hpp"
#include "records/record_error.hpp"

namespace strandline::core::fetch {

struct verified_batches {
    base::shared_bytes bytes;        // whole, sound batches only
    std::int64_t next_offset = 0;    // where to go on after them
    std::int32_t leader_epoch = -1;  // of the last one; -1 if unknown
    // What ended the scan: the end, a batch cut by the size limit, or one that is wrong.
    records::scan_status ended = records::scan_status::end;
    std::size_t whole_size = 0;  // of a cut batch; 0 if not even its length came
    std::optional<records::record_error> corrupt;
};

// `position` is the offset that was asked for: the batch that contains it may begin earlier.
verified_batches verify_batches(const base::shared_bytes& bytes, std::int64_t position,
                                const records::scan_options& options);

}  // namespace strandline::core::fetch
