#include "records/record_reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "records/crc32c.hpp"
#include "records/legacy_message.hpp"

namespace strandline::records {

record_reader::record_reader(record_batch batch, decompression_context& context, const read_options& options)
    : verify_checksums_(options.verify_checksums), from_offset_(options.from_offset), batch_(std::move(batch)) {
    last_read_ = std::max(from_offset_, batch_.base_offset()) - 1;
    if (batch_.is_legacy()) {
        open_message(context, options);
    } else {
        open_batch(context, options);
    }
}

void record_reader::open_batch(decompression_context& context, const read_options& options) {
    payload_ = batch_.bytes().slice(batch_layout::records);
    const std::int32_t count = batch_.record_count();
    // Compaction may leave a batch without records, and then nothing to decompress either.
    if (batch_.codec() != compression_codec::none && !(count == 0 && payload_.empty())) {
        auto plain = context.decompress(batch_.codec(), payload_, batch_.magic(), options.limits);
        if (!plain) return fail(std::move(plain.error()));
        payload_ = *std::move(plain);
    }
    const auto base_offset = batch_.base_offset();
    scope_.base_offset = base_offset;
    scope_.last_offset_delta = static_cast<std::uint32_t>(batch_.last_offset() - base_offset);
    if (batch_.timestamp_type() == timestamp_type::log_append_time) {
        scope_.base_timestamp = static_cast<std::uint64_t>(batch_.max_timestamp());
        scope_.timestamp_delta_mask = 0;
    } else {
        scope_.base_timestamp = static_cast<std::uint64_t>(batch_.base_timestamp());
    }
    cursor_ = payload_.data();
    end_ = cursor_ + payload_.size();
    left_ = count;
    stage_ = stage::records;
}

void record_reader::open_message(decompression_context& context, const read_options& options) {
    payload_ = batch_.bytes();
    cursor_ = payload_.data();
    end_ = cursor_ + payload_.size();
    stage_ = stage::messages;
    if (batch_.codec() == compression_codec::none) {
        verify_checksums_ = false;  // the scan did
        return;
    }

    // Of a compressed message the offset is the last one's: what stands before it is known to the caller only.
    last_read_ = from_offset_ - 1;
    legacy_message wrapper;
    if (const auto fault = decode_message(cursor_, end_, wrapper)) return fail_with(*fault);
    if (wrapper.value_size < 0)
        return fail_with({record_error_kind::malformed_record, "compressed message without value"});
    const base::bytes_view compressed{wrapper.value_data, static_cast<std::size_t>(wrapper.value_size)};
    auto plain = context.decompress(batch_.codec(), compressed, batch_.magic(), options.limits);
    if (!plain) return fail(std::move(plain.error()));
    payload_ = *std::move(plain);
    cursor_ = payload_.data();
    end_ = cursor_ + payload_.size();
    if (cursor_ == end_)
        return fail_with({record_error_kind::malformed_record, "compressed message with nothing in it"});
    if (batch_.magic() == 0) return;

    // Magic 1 counts the offsets inside from the first message, and only the last one's is known.
    legacy_message last;
    for (const auto* at = cursor_; at != end_;) {
        if (const auto fault = decode_message(at, end_, last)) return fail_with(*fault);
    }
    relative_to_ = batch_.base_offset() - last.offset;
    if (last.offset < 0 || last.offset > batch_.base_offset()) {
        fail_with({record_error_kind::malformed_record, "offsets inside a compressed message do not fit its own"});
    }
}

bool record_reader::decode_slowly(record_view& out) {
    if (const auto fault = decode_record_checked(cursor_, end_, scope_, out)) {
        fail_with(*fault);
        return false;
    }
    return true;
}

read_status record_reader::finish(record_view& out) {
    switch (stage_) {
        case stage::records:
            if (cursor_ != end_) {
                fail_with({record_error_kind::bytes_left_over, "more bytes than the announced records use"});
                return read_status::corrupt;
            }
            stage_ = stage::ended;
            return read_status::end;
        case stage::messages: return next_message(out);
        case stage::ended: return read_status::end;
        case stage::failed: return read_status::corrupt;
    }
    return read_status::end;
}

read_status record_reader::next_message(record_view& out) {
    while (cursor_ != end_) {
        legacy_message message;
        if (const auto fault = check_message(message)) {
            fail_with(*fault);
            return read_status::corrupt;
        }
        last_read_ = relative_to_ + message.offset;
        if (last_read_ < from_offset_) continue;
        out.offset = last_read_;
        out.timestamp =
            batch_.timestamp_type() == timestamp_type::log_append_time ? batch_.max_timestamp() : message.timestamp;
        out.key_data = message.key_data;
        out.key_size = message.key_size;
        out.value_data = message.value_data;
        out.value_size = message.value_size;
        out.header_data = nullptr;
        out.header_count = 0;
        out.header_bytes = 0;
        return read_status::record;
    }
    stage_ = stage::ended;
    return read_status::end;
}

std::optional<record_fault> record_reader::check_message(legacy_message& message) {
    if (auto fault = decode_message(cursor_, end_, message)) return fault;
    if (batch_.codec() != compression_codec::none) {
        if (verify_checksums_ && crc32_ieee(message.sealed) != message.stored_checksum) {
            return record_fault{record_error_kind::bad_checksum, "message inside a compressed message"};
        }
        if (message.magic != batch_.magic()) {
            return record_fault{record_error_kind::malformed_record, "another magic than the message around it"};
        }
        if (message.attributes & batch_layout::codec_mask) {
            return record_fault{record_error_kind::malformed_record, "compressed twice"};
        }
    }
    if (message.offset < 0 || message.offset > batch_.last_offset() - relative_to_) {
        return record_fault{record_error_kind::malformed_record, "offset lies outside the message around it"};
    }
    return std::nullopt;
}

void record_reader::fail_with(const record_fault& fault) {
    fail({fault.kind, compression_codec::none, -1, std::string(fault.text)});
}

void record_reader::fail(record_error error) {
    error_ = std::move(error);
    error_.codec = batch_.codec();
    error_.offset = last_read_ + 1;
    left_ = 0;
    stage_ = stage::failed;
}

}  // namespace strandline::records
