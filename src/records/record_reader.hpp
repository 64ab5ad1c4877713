// Iterates the records of one batch, decompressing it first when needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.hpp"
#include "records/decompression_context.hpp"
#include "records/record_batch.hpp"
#include "records/record_decoder.hpp"
#include "records/record_error.hpp"
#include "records/record_view.hpp"

namespace strandline::records {

struct legacy_message;

struct read_options {
    // Records below it are skipped: a fetch may begin in the middle of a batch.
    std::int64_t from_offset = 0;
    // Of the messages inside a compressed magic 0 or 1 message; everything else was checked by the scan.
    bool verify_checksums = true;
    decompression_limits limits = {};
};

enum class read_status : std::uint8_t {
    record,  // `out` holds the next one
    end,     // the batch is read to its end; go on at batch().next_offset()
    corrupt  // see error(); the records before it were right
};

// Runs where the records are wanted, not where the bytes arrive. Anything but `record` is final and repeated. The views
// it hands out live as long as payload() does, not as long as the reader.
class record_reader {
public:
    record_reader() noexcept = default;
    // Decompresses at once; a failure is reported by the first next().
    record_reader(record_batch batch, decompression_context& context, const read_options& options = {});

    read_status next(record_view& out) {
        while (left_ > 0) {
            if (!decode_record_fast(cursor_, end_, scope_, out)) [[unlikely]] {
                if (!decode_slowly(out)) return read_status::corrupt;
            }
            --left_;
            last_read_ = out.offset;
            if (out.offset >= from_offset_) [[likely]]
                return read_status::record;
        }
        return finish(out);
    }

    // After `corrupt`.
    const record_error& error() const noexcept { return error_; }
    const record_batch& batch() const noexcept { return batch_; }
    // The bytes the views point into: the batch's own when it is not compressed.
    const base::shared_bytes& payload() const noexcept { return payload_; }

private:
    bool decode_slowly(record_view& out);
    read_status finish(record_view& out);
    read_status next_message(record_view& out);
    std::optional<record_fault> check_message(legacy_message& message);
    void open_batch(decompression_context& context, const read_options& options);
    void open_message(decompression_context& context, const read_options& options);
    void fail_with(const record_fault& fault);
    void fail(record_error error);

    enum class stage : std::uint8_t { records, messages, ended, failed };

    const std::byte* cursor_ = nullptr;
    const std::byte* end_ = nullptr;
    record_scope scope_;
    // Of a magic 2 batch; messages are read until their bytes end.
    std::int32_t left_ = 0;
    stage stage_ = stage::ended;
    bool verify_checksums_ = true;
    std::int64_t from_offset_ = 0;
    std::int64_t last_read_ = -1;
    // Added to the offsets of the messages inside a compressed magic 1 message.
    std::int64_t relative_to_ = 0;
    record_batch batch_;
    base::shared_bytes payload_;
    record_error error_;
};

}  // namespace strandline::records
