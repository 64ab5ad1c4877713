#include "tests/explain/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> made{0};

}  // namespace

void* operator new(std::size_t size) {
    ++made;
    if (void* const room = std::malloc(size)) return room;
    throw std::bad_alloc();
}
void operator delete(void* gone) noexcept { std::free(gone); }
void operator delete(void* gone, std::size_t) noexcept { std::free(gone); }

namespace strandline::explain_tests {

std::size_t allocations() noexcept { return made; }

}  // namespace strandline::explain_tests
