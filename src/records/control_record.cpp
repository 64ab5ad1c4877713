#include "records/control_record.hpp"

#include <fmt/format.h>

#include "records/record_reader.hpp"

namespace strandline::records {

namespace {

constexpr std::size_t key_size = 4;     // version and type
constexpr std::size_t marker_size = 6;  // version and coordinator epoch

record_error malformed(const record_view& record, std::string text) {
    return {record_error_kind::malformed_record, compression_codec::none, record.offset, std::move(text)};
}

}  // namespace

result<std::optional<control_record>> read_control_record(const record_batch& batch) {
    // Brokers do not compress them; should one do so, this costs a codec's state for a moment.
    decompression_context context;
    record_reader reader(batch, context);
    record_view record;
    switch (reader.next(record)) {
        case read_status::record: break;
        case read_status::end: return std::nullopt;
        case read_status::corrupt: return tl::unexpected(reader.error());
    }
    const auto key = record.key();
    if (!key || key->size() < key_size) {
        return tl::unexpected(malformed(record, "control record without version and type"));
    }
    control_record control;
    control.version = load_big_endian<std::int16_t>(key->data());
    if (control.version < 0) {
        return tl::unexpected(malformed(record, fmt::format("control record version {}", control.version)));
    }
    control.type = static_cast<control_record_type>(load_big_endian<std::int16_t>(key->data() + 2));
    if (control.type == control_record_type::abort || control.type == control_record_type::commit) {
        // Kafka reads a marker's end from the key; a value too short for the epoch does not make it another one.
        const auto value = record.value();
        if (value && value->size() >= marker_size) {
            control.coordinator_epoch = load_big_endian<std::int32_t>(value->data() + 2);
        }
    }
    return control;
}

}  // namespace strandline::records
