#include "records/record_batch.hpp"

#include "records/crc32c.hpp"

namespace strandline::records {

records::timestamp_type record_batch::timestamp_type() const noexcept {
    if (magic() == 0) return records::timestamp_type::none;
    return attributes() & batch_layout::log_append_time_flag ? records::timestamp_type::log_append_time
                                                             : records::timestamp_type::create_time;
}

std::int32_t record_batch::record_count() const noexcept {
    if (!is_legacy()) return read<std::int32_t>(batch_layout::record_count);
    return codec() == compression_codec::none ? 1 : -1;
}

std::int64_t record_batch::base_timestamp() const noexcept {
    return is_legacy() ? max_timestamp() : read<std::int64_t>(batch_layout::base_timestamp);
}

std::int64_t record_batch::max_timestamp() const noexcept {
    if (magic() == 0) return -1;
    return read<std::int64_t>(is_legacy() ? batch_layout::message::timestamp : batch_layout::max_timestamp);
}

std::uint32_t record_batch::stored_checksum() const noexcept {
    return read<std::uint32_t>(is_legacy() ? batch_layout::message::crc : batch_layout::crc);
}

std::uint32_t record_batch::computed_checksum() const noexcept {
    return is_legacy() ? crc32_ieee(bytes_.view().subspan(batch_layout::magic))
                       : crc32c(bytes_.view().subspan(batch_layout::attributes));
}

}  // namespace strandline::records
