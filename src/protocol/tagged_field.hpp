// Tagged fields that this library has no name for. They are kept, so that a message survives being read and written.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"

namespace strandline::protocol {

struct tagged_field {
    std::uint32_t tag{};
    base::shared_bytes data{};

    bool operator==(const tagged_field&) const = default;
};

using tagged_fields = std::vector<tagged_field>;

}  // namespace strandline::protocol
