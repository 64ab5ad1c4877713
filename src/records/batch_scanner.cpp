#include "records/batch_scanner.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

namespace strandline::records {

namespace {

bool is_known_codec(std::uint8_t codec, std::int8_t magic) noexcept {
    // zstd came after magic 2.
    return codec <= static_cast<std::uint8_t>(magic < 2 ? compression_codec::lz4 : compression_codec::zstd);
}

}  // namespace

batch_scanner::batch_scanner(base::shared_bytes bytes, scan_options options) noexcept
    : bytes_(std::move(bytes)), options_(options), minimum_base_offset_(options.minimum_base_offset) {}

scan_status batch_scanner::next(record_batch& out) {
    if (status_ != scan_status::batch) return status_;
    const std::size_t left = bytes_.size() - consumed_;
    if (left == 0) return status_ = scan_status::end;
    if (left < batch_layout::log_overhead) return status_ = scan_status::truncated;

    const std::byte* const at = bytes_.data() + consumed_;
    const auto base_offset = load_big_endian<std::int64_t>(at + batch_layout::base_offset);
    const auto length = load_big_endian<std::int32_t>(at + batch_layout::length);
    // The magic byte says how long a batch must be at least, so a wrong length is told from a cut one early.
    std::size_t smallest = batch_layout::message::smallest(0);
    if (left > batch_layout::magic) {
        const auto magic = load_big_endian<std::int8_t>(at + batch_layout::magic);
        if (magic < 0 || magic > 2) {
            return corrupt(record_error_kind::unknown_magic, base_offset, fmt::format("magic {}", magic));
        }
        smallest = magic == 2 ? batch_layout::records : batch_layout::message::smallest(magic);
    }
    if (length < 0 || batch_layout::log_overhead + static_cast<std::size_t>(length) < smallest) {
        return corrupt(record_error_kind::bad_size, base_offset, fmt::format("length {}", length));
    }
    const std::size_t size = batch_layout::log_overhead + static_cast<std::size_t>(length);
    if (size > left) {
        truncated_batch_size_ = size;
        return status_ = scan_status::truncated;
    }

    record_batch batch(bytes_.slice(consumed_, size));
    if (check(batch) == scan_status::corrupt) return scan_status::corrupt;
    consumed_ += size;
    minimum_base_offset_ = batch.next_offset();
    out = std::move(batch);
    return scan_status::batch;
}

scan_status batch_scanner::check(const record_batch& batch) {
    const std::int64_t base_offset = batch.base_offset();
    if (options_.verify_checksums) {
        const auto stored = batch.stored_checksum();
        const auto computed = batch.computed_checksum();
        if (stored != computed) {
            return corrupt(record_error_kind::bad_checksum, base_offset,
                           fmt::format("stored {:08x}, computed {:08x}", stored, computed));
        }
    }
    if (!is_known_codec(static_cast<std::uint8_t>(batch.codec()), batch.magic())) {
        return corrupt(record_error_kind::unknown_codec, base_offset,
                       fmt::format("codec {} in magic {}", static_cast<int>(batch.codec()), batch.magic()));
    }
    if (!batch.is_legacy()) {
        const std::int32_t count = batch.record_count();
        const std::int64_t last_offset_delta = batch.read<std::int32_t>(batch_layout::last_offset_delta);
        if (last_offset_delta < 0 || base_offset > std::numeric_limits<std::int64_t>::max() - last_offset_delta - 1) {
            return corrupt(record_error_kind::implausible_header, base_offset,
                           fmt::format("last offset delta {}", last_offset_delta));
        }
        const std::size_t record_bytes = batch.size_in_bytes() - batch_layout::records;
        const bool too_many = batch.codec() == compression_codec::none && count > 0 &&
                              static_cast<std::size_t>(count) > record_bytes / batch_layout::smallest_record;
        if (count < 0 || too_many) {
            return corrupt(record_error_kind::implausible_header, base_offset,
                           fmt::format("{} records in {} bytes", count, record_bytes));
        }
    }
    if (base_offset < minimum_base_offset_ || base_offset == std::numeric_limits<std::int64_t>::max()) {
        return corrupt(record_error_kind::offset_out_of_order, base_offset,
                       fmt::format("expected {} or later", minimum_base_offset_));
    }
    if (options_.high_watermark && batch.last_offset() >= *options_.high_watermark) {
        return corrupt(record_error_kind::beyond_high_watermark, base_offset,
                       fmt::format("ends at {}, high watermark {}", batch.last_offset(), *options_.high_watermark));
    }
    return scan_status::batch;
}

scan_status batch_scanner::corrupt(record_error_kind kind, std::int64_t offset, std::string text) {
    error_ = {kind, compression_codec::none, offset, std::move(text)};
    return status_ = scan_status::corrupt;
}

result<record_batch> batch_scanner::single(base::shared_bytes bytes, scan_options options) {
    const std::size_t size = bytes.size();
    batch_scanner scanner(std::move(bytes), options);
    record_batch batch;
    switch (scanner.next(batch)) {
        case scan_status::batch:
            if (scanner.consumed() == size) return batch;
            return tl::unexpected(record_error{record_error_kind::bytes_left_over, compression_codec::none,
                                               batch.next_offset(), "more than one batch"});
        case scan_status::corrupt: return tl::unexpected(scanner.error());
        case scan_status::end:
        case scan_status::truncated: break;
    }
    return tl::unexpected(record_error{record_error_kind::bytes_missing, compression_codec::none,
                                       options.minimum_base_offset, "not a whole batch"});
}

}  // namespace strandline::records
