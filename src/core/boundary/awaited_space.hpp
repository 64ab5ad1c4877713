// Which space the decision of a turn waits for.
#pragma once

#include <cstdint>

namespace strandline::core::boundary {

// Coming back, the one that is awaited wakes the reactor; what is not awaited waits for the next turn.
enum class awaited_space : std::uint8_t {
    none,
    queue,   // data that waits for the application is taken, or given back
    memory,  // that, or bytes of memory_limit are freed, whoever held them
};

}  // namespace strandline::core::boundary
