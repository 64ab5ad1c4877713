// How much of anything the wire may ask us to take. A peer that exceeds one of these is broken or hostile.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strandline::protocol::limits {

// A frame, its four length bytes not counted.
inline constexpr std::size_t frame_bytes = std::size_t{100} * 1024 * 1024;
// Until the handshake is done the peer has no business sending more.
inline constexpr std::size_t handshake_frame_bytes = std::size_t{64} * 1024;
// Kafka's own decoders refuse more as well. The bytes that follow bound an array further: each element needs some.
inline constexpr std::size_t array_elements = 1'000'000;
inline constexpr std::size_t tagged_fields = 10'000;
inline constexpr std::size_t string_bytes = 32'767;

}  // namespace strandline::protocol::limits
