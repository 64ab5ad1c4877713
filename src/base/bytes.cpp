#include "base/bytes.hpp"

#include <cstring>
#include <new>
#include <utility>

namespace strandline::base {

namespace detail {

namespace {

// Answers differ a little in size: a block that was made for one is to do for the next.
std::size_t room_for(std::size_t capacity, bool may_be_kept) noexcept {
    constexpr auto step = spare_blocks::smallest;
    return may_be_kept && capacity >= step ? (capacity + step - 1) / step * step : capacity;
}

void destroy(block* gone) noexcept {
    gone->~block();
    ::operator delete(gone);
}

}  // namespace

block* allocate_block(std::size_t capacity, std::shared_ptr<memory_account> account) {
    block* made = account ? account->spares().take(capacity) : nullptr;
    if (!made) {
        const auto room = room_for(capacity, account != nullptr);
        made = new (::operator new(sizeof(block) + room)) block{1, capacity, room, {}};
    }
    made->references.store(1, std::memory_order_relaxed);
    made->capacity = capacity;
    made->account = std::move(account);
    if (made->account) made->account->on_allocated(made->room);
    return made;
}

spare_blocks::~spare_blocks() {
    for (auto& spare : spares_) {
        if (auto* const free = spare.exchange(nullptr)) destroy(free);
    }
}

block* spare_blocks::take(std::size_t capacity) noexcept {
    if (capacity < smallest || capacity > largest) return nullptr;
    for (auto& spare : spares_) {
        auto* const free = spare.exchange(nullptr);
        if (!free) continue;
        if (free->room >= capacity && free->room <= capacity + capacity / 2) return free;
        if (!keep(free)) destroy(free);
    }
    return nullptr;
}

bool spare_blocks::keep(block* free) noexcept {
    if (!keeps_any || free->room < smallest || free->room > largest) return false;
    for (auto& spare : spares_) {
        block* none = nullptr;
        if (spare.compare_exchange_strong(none, free)) return true;
    }
    if (auto* const older = spares_[replaced_++ % spares_.size()].exchange(free)) destroy(older);
    return true;
}

void release_block(block* owner) noexcept {
    if (owner->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
#ifndef NDEBUG
    // A view that outlives its bytes must show in a test, not deliver another topic's data.
    std::memset(owner->data(), 0xdd, owner->capacity);
#endif
    const auto account = std::move(owner->account);
    const auto room = owner->room;
    if (!account || !account->spares().keep(owner)) destroy(owner);
    if (account) account->on_released(room);
}

}  // namespace detail

shared_bytes shared_bytes::copy_of(bytes_view bytes, std::shared_ptr<memory_account> account) {
    buffer made(bytes.size(), std::move(account));
    if (!bytes.empty()) std::memcpy(made.writable().data(), bytes.data(), bytes.size());
    return std::move(made).freeze(bytes.size());
}

}  // namespace strandline::base
