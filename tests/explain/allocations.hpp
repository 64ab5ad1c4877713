// Counts what the whole program allocates.
#pragma once

#include <cstddef>

namespace strandline::explain_tests {

// So far.
std::size_t allocations() noexcept;

}  // namespace strandline::explain_tests
