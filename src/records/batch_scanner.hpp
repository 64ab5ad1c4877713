// Walks the bytes that a broker sent for one partition, batch by batch, without decompressing anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.hpp"
#include "records/record_batch.hpp"
#include "records/record_error.hpp"

namespace strandline::records {

struct scan_options {
    bool verify_checksums = true;
    // The first batch must not begin below this; each further one not below the end of the one before it. Leave it at
    // 0 for the first answer at a position: a broker sends the whole batch that contains it.
    std::int64_t minimum_base_offset = 0;
    // No batch may contain this offset or a later one.
    std::optional<std::int64_t> high_watermark = std::nullopt;
};

enum class scan_status : std::uint8_t {
    batch,  // `out` holds the next one
    end,  // all bytes are used
    truncated,  // the last batch was cut by a size limit: no error, fetch it again from its base offset
    corrupt  // bytes that are there are wrong: see error(). Nothing after them can be trusted
};

// Cheap for the reactor: per batch one reference count, no allocation. The batches it yields passed the checksum and
// the plausibility checks, so a position may move past them before anyone has decoded them.
class batch_scanner {
public:
    explicit batch_scanner(base::shared_bytes bytes, scan_options options = {}) noexcept;

    // Anything but `batch` is final and repeated by later calls.
    scan_status next(record_batch& out);

    // After `corrupt`.
    const record_error& error() const noexcept { return error_; }
    // After `truncated`: how many bytes the whole batch has; 0 when even its length is missing.
    std::size_t truncated_batch_size() const noexcept { return truncated_batch_size_; }
    // Bytes of the batches yielded so far.
    std::size_t consumed() const noexcept { return consumed_; }

    // The only batch in `bytes`, checked as a scan checks it.
    static result<record_batch> single(base::shared_bytes bytes, scan_options options = {});

private:
    scan_status check(const record_batch& batch);
    scan_status corrupt(record_error_kind kind, std::int64_t offset, std::string text);

    base::shared_bytes bytes_;
    scan_options options_;
    std::size_t consumed_ = 0;
    std::size_t truncated_batch_size_ = 0;
    std::int64_t minimum_base_offset_;
    scan_status status_ = scan_status::batch;
    record_error error_;
};

}  // namespace strandline::records
