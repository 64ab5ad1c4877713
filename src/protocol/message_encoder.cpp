#include "protocol/message_encoder.hpp"

#include <limits>
#include <span>

#include "protocol/limits.hpp"
#include "protocol/varint.hpp"

namespace strandline::protocol {

namespace {
constexpr auto longest_bytes = std::size_t{std::numeric_limits<std::int32_t>::max() - 1};
}  // namespace

void body_writer::put(std::int8_t value) {
    size_ += sizeof value;
    if (out_ != nullptr) out_->int8(value);
}

void body_writer::put(std::int16_t value) {
    size_ += sizeof value;
    if (out_ != nullptr) out_->int16(value);
}

void body_writer::put(std::int32_t value) {
    size_ += sizeof value;
    if (out_ != nullptr) out_->int32(value);
}

void body_writer::put(std::int64_t value) {
    size_ += sizeof value;
    if (out_ != nullptr) out_->int64(value);
}

void body_writer::unsigned_varint(std::size_t value) {
    const auto number = static_cast<std::uint32_t>(value);
    size_ += varint_size(number);
    if (out_ != nullptr) out_->unsigned_varint(number);
}

void body_writer::raw(base::bytes_view bytes) {
    size_ += bytes.size();
    if (out_ != nullptr) out_->raw(bytes);
}

bool body_writer::fits(std::size_t length, std::size_t limit) noexcept {
    if (length > limit) fail(codec_fault::bad_length);
    return length <= limit;
}

void body_writer::write(const base::uuid& value) { raw(std::as_bytes(std::span(value.octets))); }

void body_writer::write(const std::string& value) {
    if (!fits(value.size(), limits::string_bytes)) return;
    if (format_.flexible) {
        unsigned_varint(value.size() + 1);
    } else {
        put(static_cast<std::int16_t>(value.size()));
    }
    raw(base::as_bytes(value));
}

void body_writer::write(const base::shared_bytes& value) {
    if (!fits(value.size(), longest_bytes)) return;
    if (format_.flexible) {
        unsigned_varint(value.size() + 1);
    } else {
        put(static_cast<std::int32_t>(value.size()));
    }
    raw(value);
}

void body_writer::array_length(std::size_t count) {
    if (!fits(count, limits::array_elements)) return;
    if (format_.flexible) {
        unsigned_varint(count + 1);
    } else {
        put(static_cast<std::int32_t>(count));
    }
}

void body_writer::null_string() {
    if (format_.flexible) {
        unsigned_varint(0);
    } else {
        put(std::int16_t{-1});
    }
}

void body_writer::null_bytes_or_array() {
    if (format_.flexible) {
        unsigned_varint(0);
    } else {
        put(std::int32_t{-1});
    }
}

}  // namespace strandline::protocol
