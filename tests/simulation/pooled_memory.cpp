#include "tests/simulation/pooled_memory.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <sys/mman.h>

namespace strandline::simulation {

namespace {

// Addresses only; memory comes with the first touch. Of a page all pieces have one size, so an address tells it.
constexpr std::size_t reserved = std::size_t{1} << 36U;
constexpr std::size_t page_size = std::size_t{1} << 16U;
constexpr std::size_t unit = 16;
constexpr std::size_t largest = 4096;

struct piece {
    piece* next;
};

class reservation {
public:
    reservation() noexcept {
        auto* const made =
            mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (made == MAP_FAILED) return;
        base_ = static_cast<std::byte*>(made);
    }

    bool holds(const void* address) const noexcept { return offset_of(address) < reserved && base_; }
    std::size_t units_of(const void* address) const noexcept { return units_[offset_of(address) / page_size]; }
    // Null: there are no more.
    std::byte* take_page(std::size_t units) noexcept {
        if (!base_) return nullptr;
        const auto page = pages_.fetch_add(1, std::memory_order_relaxed);
        if (page >= reserved / page_size) return nullptr;
        units_[page] = static_cast<std::uint16_t>(units);
        return base_ + page * page_size;
    }

private:
    std::size_t offset_of(const void* address) const noexcept {
        return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(address) -
                                        reinterpret_cast<std::uintptr_t>(base_));
    }

    std::byte* base_ = nullptr;
    std::atomic<std::size_t> pages_ = 0;
    std::array<std::uint16_t, reserved / page_size> units_{};
};

// As soon as somebody asks, which may be before any other initialisation.
reservation& all_pages() noexcept {
    static reservation made;
    return made;
}

constinit thread_local std::array<piece*, largest / unit + 1> given_back{};

piece* fill(std::size_t units) noexcept {
    auto* const page = all_pages().take_page(units);
    if (!page) return nullptr;
    const auto size = units * unit;
    piece* list = nullptr;
    for (auto left = page_size / size; left > 0; --left) {
        auto* const made = reinterpret_cast<piece*>(page + (left - 1) * size);
        made->next = list;
        list = made;
    }
    return list;
}

}  // namespace

void* take_from_pool(std::size_t size) noexcept {
    if (size > largest) return nullptr;
    const auto units = size == 0 ? 1 : (size + unit - 1) / unit;
    auto& list = given_back[units];
    if (!list) list = fill(units);
    auto* const taken = list;
    if (taken) list = taken->next;
    return taken;
}

bool give_to_pool(void* gone) noexcept {
    auto& pages = all_pages();
    if (!pages.holds(gone)) return false;
    auto* const back = static_cast<piece*>(gone);
    auto& list = given_back[pages.units_of(gone)];
    back->next = list;
    list = back;
    return true;
}

}  // namespace strandline::simulation
