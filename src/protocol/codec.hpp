// Messages to bytes and back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "protocol/codec_error.hpp"
#include "protocol/writer.hpp"

namespace strandline::protocol {

// What `describe` amounts to on the wire. Defined in message_codec.hpp and instantiated once per message, in that
// message's own .cpp, so that including this header is cheap.
template <class Message>
struct message_codec {
    static result<Message> decode(const base::shared_bytes& body, std::int16_t version);
    static result<void> encode(writer& out, const Message& message, std::int16_t version);
    static std::size_t measure(const Message& message, std::int16_t version);
};

// Reads the whole of `body`; anything left over is an error. Bytes and records are slices of `body`, not copies.
template <class Message>
result<Message> decode(const base::shared_bytes& body, std::int16_t version) {
    return message_codec<Message>::decode(body, version);
}

// Appends `message`. A field that this version does not have is left out if Kafka calls it ignorable or if it has its
// default; any other value in it is an error (not_in_version), and so is a null where this version has none. After an
// error `out` holds a broken message.
template <class Message>
[[nodiscard]] result<void> encode(writer& out, const Message& message, std::int16_t version) {
    return message_codec<Message>::encode(out, message, version);
}

// The bytes that `encode` will append.
template <class Message>
std::size_t measure(const Message& message, std::int16_t version) {
    return message_codec<Message>::measure(message, version);
}

}  // namespace strandline::protocol
