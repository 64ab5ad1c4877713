#include "protocol/message_encoder.hpp"

#include <limits>
#include <span>

#include "protocol/limits.hpp"

namespace strandline::protocol {

namespace {
constexpr auto longest_bytes = std::size_t{std::numeric_limits<std::int32_t>::max() - 1};
}  // namespace

template <class Sink>
bool body_writer<Sink>::fits(std::size_t length, std::size_t limit) noexcept {
    if (length > limit) fail(codec_fault::bad_length);
    return length <= limit;
}

template <class Sink>
void body_writer<Sink>::write(const base::uuid& value) {
    out_.raw(std::as_bytes(std::span(value.octets)));
}

template <class Sink>
void body_writer<Sink>::write(const std::string& value) {
    if (!fits(value.size(), limits::string_bytes)) return;
    if (format_.flexible) {
        unsigned_varint(value.size() + 1);
    } else {
        out_.int16(static_cast<std::int16_t>(value.size()));
    }
    out_.raw(base::as_bytes(value));
}

template <class Sink>
void body_writer<Sink>::write(const base::shared_bytes& value) {
    if (!fits(value.size(), longest_bytes)) return;
    if (format_.flexible) {
        unsigned_varint(value.size() + 1);
    } else {
        out_.int32(static_cast<std::int32_t>(value.size()));
    }
    out_.raw(value);
}

template <class Sink>
void body_writer<Sink>::array_length(std::size_t count) {
    if (!fits(count, limits::array_elements)) return;
    if (format_.flexible) {
        unsigned_varint(count + 1);
    } else {
        out_.int32(static_cast<std::int32_t>(count));
    }
}

template <class Sink>
void body_writer<Sink>::null_string() {
    if (format_.flexible) {
        unsigned_varint(0);
    } else {
        out_.int16(-1);
    }
}

template <class Sink>
void body_writer<Sink>::null_bytes_or_array() {
    if (format_.flexible) {
        unsigned_varint(0);
    } else {
        out_.int32(-1);
    }
}

template class body_writer<writer>;
template class body_writer<byte_counter>;

}  // namespace strandline::protocol
