// One message of magic 0 or 1, as old log segments still hold them. Every byte is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.hpp"
#include "records/record_decoder.hpp"

namespace strandline::records {

struct legacy_message {
    std::int64_t offset = -1;  // inside a compressed magic 1 message: counted from its first one
    std::int64_t timestamp = -1;
    std::int8_t magic = 0;
    std::int8_t attributes = 0;
    std::uint32_t stored_checksum = 0;
    base::bytes_view sealed;  // what the checksum covers
    const std::byte* key_data = nullptr;
    const std::byte* value_data = nullptr;
    std::int32_t key_size = -1;
    std::int32_t value_size = -1;
};

// Moves `cursor` past the message on success only.
std::optional<record_fault> decode_message(const std::byte*& cursor, const std::byte* end,
                                           legacy_message& out) noexcept;

}  // namespace strandline::records
