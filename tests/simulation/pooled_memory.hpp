// Small pieces of memory for worlds, which ask for millions of them and give them back: lists by size, each thread its
// own, and nothing goes back to the system.
#pragma once

#include <cstddef>

namespace strandline::simulation {

// Null: there is none of this size; ask elsewhere.
void* take_from_pool(std::size_t size) noexcept;
// False: it is from elsewhere.
bool give_to_pool(void* gone) noexcept;

}  // namespace strandline::simulation
