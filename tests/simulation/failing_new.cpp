// operator new of strandline-simulate: as usual, except that a simulated process may have had its last allocation.
#include <cstdlib>
#include <new>

#include "testkit/simulator/allocation_countdown.hpp"

namespace {

void* allocate(std::size_t size) {
    if (strandline::testkit::sim::allocation_fails()) throw std::bad_alloc();
    if (auto* const made = std::malloc(size > 0 ? size : 1)) return made;
    throw std::bad_alloc();
}

void* allocate(std::size_t size, std::align_val_t alignment) {
    if (strandline::testkit::sim::allocation_fails()) throw std::bad_alloc();
    const auto unit = static_cast<std::size_t>(alignment);
    if (auto* const made = std::aligned_alloc(unit, (size + unit - 1) / unit * unit)) return made;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) { return allocate(size, alignment); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return allocate(size, alignment); }
void operator delete(void* gone) noexcept { std::free(gone); }
void operator delete[](void* gone) noexcept { std::free(gone); }
void operator delete(void* gone, std::size_t) noexcept { std::free(gone); }
void operator delete[](void* gone, std::size_t) noexcept { std::free(gone); }
void operator delete(void* gone, std::align_val_t) noexcept { std::free(gone); }
void operator delete[](void* gone, std::align_val_t) noexcept { std::free(gone); }
void operator delete(void* gone, std::size_t, std::align_val_t) noexcept { std::free(gone); }
void operator delete[](void* gone, std::size_t, std::align_val_t) noexcept { std::free(gone); }
