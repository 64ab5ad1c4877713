#include "records/batch_builder.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <utility>

#include "records/batch_layout.hpp"
#include "records/batch_stamp.hpp"
#include "records/big_endian.hpp"
#include "records/compression/compressor.hpp"
#include "records/crc32c.hpp"
#include "records/varint.hpp"

namespace strandline::records {

namespace {

void append_bytes(std::vector<std::byte>& to, base::bytes_view bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}

template <class Number>
void append_number(std::vector<std::byte>& to, Number value) {
    std::array<std::byte, sizeof value> bytes;
    store_big_endian(bytes.data(), value);
    append_bytes(to, bytes);
}

// A length, -1 for null, and the bytes.
void append_sized(std::vector<std::byte>& to, const std::optional<base::bytes_view>& bytes) {
    append_varint(to, bytes ? static_cast<std::int64_t>(bytes->size()) : -1);
    if (bytes) append_bytes(to, *bytes);
}

void append_sized_fixed(std::vector<std::byte>& to, const std::optional<base::bytes_view>& bytes) {
    append_number(to, bytes ? static_cast<std::int32_t>(bytes->size()) : -1);
    if (bytes) append_bytes(to, *bytes);
}

struct message_head {
    std::int64_t offset;
    std::int8_t magic;
    std::int8_t attributes;
    std::int64_t timestamp;
};

void append_message(std::vector<std::byte>& to, const message_head& head, const std::optional<base::bytes_view>& key,
                    const std::optional<base::bytes_view>& value) {
    const std::size_t start = to.size();
    append_number(to, head.offset);
    append_number(to, std::int32_t{0});  // length, below
    append_number(to, std::uint32_t{0});  // checksum, below
    append_number(to, head.magic);
    append_number(to, head.attributes);
    if (head.magic > 0) append_number(to, head.timestamp);
    append_sized_fixed(to, key);
    append_sized_fixed(to, value);
    std::byte* const message = to.data() + start;
    const std::size_t size = to.size() - start;
    store_big_endian(message + batch_layout::length, static_cast<std::int32_t>(size - batch_layout::log_overhead));
    store_big_endian(message + batch_layout::message::crc,
                     crc32_ieee({message + batch_layout::magic, size - batch_layout::magic}));
}

}  // namespace

batch_builder::batch_builder(batch_options options) : options_(options), next_offset_(options.base_offset) {}

batch_builder& batch_builder::append(const new_record& record) { return append_at(next_offset_, record); }

batch_builder& batch_builder::append_at(std::int64_t offset, const new_record& record) {
    assert(offset >= next_offset_);
    if (record_count_ == 0) first_timestamp_ = record.timestamp;
    max_timestamp_ = record_count_ == 0 ? record.timestamp : std::max(max_timestamp_, record.timestamp);
    if (options_.magic == 2) {
        encode_record(offset, record);
    } else {
        encode_message(offset, record);
    }
    ++record_count_;
    next_offset_ = offset + 1;
    return *this;
}

batch_builder& batch_builder::reach(std::int64_t last_offset) {
    next_offset_ = std::max(next_offset_, last_offset + 1);
    return *this;
}

base::shared_bytes batch_builder::build() const { return options_.magic == 2 ? build_batch() : build_messages(); }

void batch_builder::encode_record(std::int64_t offset, const new_record& record) {
    record_.clear();
    record_.push_back(std::byte{0});  // attributes
    append_varint(record_, record.timestamp - first_timestamp_);
    append_varint(record_, offset - options_.base_offset);
    append_sized(record_, record.key);
    append_sized(record_, record.value);
    append_varint(record_, static_cast<std::int64_t>(record.headers.size()));
    for (const auto& header : record.headers) {
        append_sized(record_, base::as_bytes(header.name));
        append_sized(record_, header.value);
    }
    append_varint(encoded_, static_cast<std::int64_t>(record_.size()));
    append_bytes(encoded_, record_);
}

void batch_builder::encode_message(std::int64_t offset, const new_record& record) {
    // Inside a compressed message magic 1 counts from the first one, magic 0 does not.
    const bool relative = options_.magic == 1 && options_.codec != compression_codec::none;
    const bool append_time = options_.timestamp_type == timestamp_type::log_append_time;
    append_message(encoded_,
                   {.offset = relative ? offset - options_.base_offset : offset,
                    .magic = options_.magic,
                    .attributes = static_cast<std::int8_t>(
                        append_time && options_.magic == 1 ? batch_layout::log_append_time_flag : std::int16_t{0}),
                    .timestamp = append_time && !relative ? options_.log_append_time : record.timestamp},
                   record.key, record.value);
}

base::shared_bytes batch_builder::build_batch() const {
    std::vector<std::byte> compressed;
    base::bytes_view records = encoded_;
    if (options_.codec != compression_codec::none) {
        compressed = compression::compress(options_.codec, records, options_.magic);
        records = compressed;
    }
    const bool append_time = options_.timestamp_type == timestamp_type::log_append_time;
    auto attributes = static_cast<std::int16_t>(options_.codec);
    if (append_time) attributes |= batch_layout::log_append_time_flag;
    if (options_.transactional) attributes |= batch_layout::transactional_flag;
    if (options_.control) attributes |= batch_layout::control_flag;

    base::buffer buffer(batch_layout::records + records.size());
    const auto batch = buffer.writable();
    const auto put = [batch](std::size_t at, auto value) { store_big_endian(batch.data() + at, value); };
    put(batch_layout::base_offset, options_.base_offset);
    put(batch_layout::length, static_cast<std::int32_t>(batch.size() - batch_layout::log_overhead));
    put(batch_layout::leader_epoch, options_.leader_epoch);
    put(batch_layout::magic, std::int8_t{2});
    put(batch_layout::attributes, attributes);
    put(batch_layout::last_offset_delta,
        static_cast<std::int32_t>(std::max(next_offset_ - 1, options_.base_offset) - options_.base_offset));
    put(batch_layout::base_timestamp, first_timestamp_);
    put(batch_layout::max_timestamp, append_time ? options_.log_append_time : max_timestamp_);
    put(batch_layout::producer_id, options_.producer_id);
    put(batch_layout::producer_epoch, options_.producer_epoch);
    put(batch_layout::base_sequence, options_.base_sequence);
    put(batch_layout::record_count, static_cast<std::int32_t>(record_count_));
    if (!records.empty()) std::memcpy(batch.data() + batch_layout::records, records.data(), records.size());
    seal_batch(batch);
    const std::size_t size = batch.size();
    return std::move(buffer).freeze(size);
}

base::shared_bytes batch_builder::build_messages() const {
    if (options_.codec == compression_codec::none || record_count_ == 0) return base::shared_bytes::copy_of(encoded_);
    const auto compressed = compression::compress(options_.codec, encoded_, options_.magic);
    auto attributes = static_cast<std::int16_t>(options_.codec);
    const bool append_time = options_.timestamp_type == timestamp_type::log_append_time;
    if (append_time && options_.magic == 1) attributes |= batch_layout::log_append_time_flag;
    std::vector<std::byte> wrapper;
    append_message(wrapper,
                   {.offset = next_offset_ - 1,
                    .magic = options_.magic,
                    .attributes = static_cast<std::int8_t>(attributes),
                    .timestamp = append_time ? options_.log_append_time : max_timestamp_},
                   std::nullopt, base::bytes_view(compressed));
    return base::shared_bytes::copy_of(wrapper);
}

base::shared_bytes make_transaction_marker(control_record_type type, std::int64_t offset, std::int64_t producer_id,
                                           std::int16_t producer_epoch, std::int32_t coordinator_epoch,
                                           std::int64_t timestamp, std::int32_t leader_epoch) {
    std::vector<std::byte> key;
    append_number(key, std::int16_t{0});
    append_number(key, static_cast<std::int16_t>(type));
    std::vector<std::byte> value;
    append_number(value, std::int16_t{0});
    append_number(value, coordinator_epoch);
    batch_builder builder({.base_offset = offset,
                           .leader_epoch = leader_epoch,
                           .producer_id = producer_id,
                           .producer_epoch = producer_epoch,
                           .transactional = true,
                           .control = true});
    builder.append({.timestamp = timestamp, .key = base::bytes_view(key), .value = base::bytes_view(value)});
    return builder.build();
}

}  // namespace strandline::records
