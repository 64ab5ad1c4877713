// The definition of message_codec. Only a message's own source includes it, to instantiate its codec there.
#pragma once

#include <utility>

#include "protocol/codec.hpp"
#include "protocol/message_decoder.hpp"
#include "protocol/message_encoder.hpp"

namespace strandline::protocol {

template <class Message>
result<Message> message_codec<Message>::decode(const base::shared_bytes& body, std::int16_t version) {
    return decode_message<Message>(body, version);
}

template <class Message>
result<void> message_codec<Message>::encode(writer& out, const Message& message, std::int16_t version) {
    body_writer body(out, wire_format::of<Message>(version));
    encode_message(body, message);
    if (body.failed()) return tl::unexpected(std::move(body).error(Message::name));
    return {};
}

template <class Message>
std::size_t message_codec<Message>::measure(const Message& message, std::int16_t version) {
    body_writer measured(wire_format::of<Message>(version));
    // What is wrong with the message is said by encode.
    encode_message(measured, message);
    return measured.size();
}

}  // namespace strandline::protocol
