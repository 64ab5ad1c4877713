// The definition of message_codec. Only a message's own source includes it, to instantiate its codec there.
#pragma once

#include "protocol/byte_counter.hpp"
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
    return encode_message(out, message, version);
}

template <class Message>
std::size_t message_codec<Message>::measure(const Message& message, std::int16_t version) {
    byte_counter counted;
    // What is wrong with the message is said by encode.
    static_cast<void>(encode_message(counted, message, version));
    return counted.size();
}

}  // namespace strandline::protocol
