// operator new of strandline-simulate: as usual, except that a simulated process may have had its last allocation.
#include <cstdlib>
#include <new>

#include "testkit/simulator/allocation_countdown.hpp"

namespace {

void* try_to_allocate(std::size_t size) noexcept {
    if (strandline::testkit::sim::allocation_fails()) return nullptr;
    return std::malloc(size > 0 ? size : 1);
}

void* try_to_allocate(std::size_t size, std::align_val_t alignment) noexcept {
    if (strandline::testkit::sim::allocation_fails()) return nullptr;
    const auto unit = static_cast<std::size_t>(alignment);
    return std::aligned_alloc(unit, (size + unit - 1) / unit * unit);
}

template <class... Alignment>
void* allocate(std::size_t size, Alignment... alignment) {
    if (auto* const made = try_to_allocate(size, alignment...)) return made;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) { return allocate(size, alignment); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return allocate(size, alignment); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return try_to_allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return try_to_allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return try_to_allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return try_to_allocate(size, alignment);
}
void operator delete(void* gone) noexcept { std::free(gone); }
void operator delete[](void* gone) noexcept { std::free(gone); }
void operator delete(void* gone, std::size_t) noexcept { std::free(gone); }
void operator delete[](void* gone, std::size_t) noexcept { std::free(gone); }
void operator delete(void* gone, std::align_val_t) noexcept { std::free(gone); }
void operator delete[](void* gone, std::align_val_t) noexcept { std::free(gone); }
void operator delete(void* gone, std::size_t, std::align_val_t) noexcept { std::free(gone); }
void operator delete[](void* gone, std::size_t, std::align_val_t) noexcept { std::free(gone); }
void operator delete(void* gone, const std::nothrow_t&) noexcept { std::free(gone); }
void operator delete[](void* gone, const std::nothrow_t&) noexcept { std::free(gone); }
void operator delete(void* gone, std::align_val_t, const std::nothrow_t&) noexcept { std::free(gone); }
void operator delete[](void* gone, std::align_val_t, const std::nothrow_t&) noexcept { std::free(gone); }
