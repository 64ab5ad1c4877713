// What every message is made of. One file per API in messages/ holds its request and its response.
//
// A message is a plain struct. Its fields carry Kafka's names in snake_case and Kafka's defaults, so a
// default-constructed message is Kafka's default message, and a designated initialiser may name just a few. `describe`
// names each field once, in wire order, with the versions it stands in; encoding, decoding, sizes and JSON all come
// from it. To add a field, declare it and describe it.
// A nested struct has its name in Kafka's schema; where a field is called the same, the struct's name ends in `_value`.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "protocol/api_key.hpp"
#include "protocol/broker_error.hpp"
#include "protocol/field.hpp"
#include "protocol/ids.hpp"
#include "protocol/tagged_field.hpp"

namespace strandline::protocol {

// A message that is sent to a broker; `response` is the type of its answer.
template <class Message>
concept request_message = requires {
    typename Message::response;
    { Message::key } -> std::convertible_to<api_key>;
};

}  // namespace strandline::protocol
