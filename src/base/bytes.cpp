#include "base/bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace strandline::base {

namespace detail {

namespace {

// Answers differ a little in size: a block that was made for one is to do for the next. An eighth more at most.
std::size_t with_room_for_the_next(std::size_t capacity) noexcept {
    const auto step = std::max<std::size_t>(1, std::bit_floor(capacity) / 8);
    return std::min((capacity + step - 1) / step * step, spare_blocks::largest);
}

bool is_worth_keeping(std::size_t room) noexcept {
    return spare_blocks::keeps_any && room >= spare_blocks::smallest && room <= spare_blocks::largest;
}

void destroy(block* gone) noexcept {
    gone->~block();
    ::operator delete(gone);
}

block* make_block(std::size_t capacity, const memory_account* account) {
    const bool may_be_kept = account && is_worth_keeping(capacity) && account->spare_room() > 0;
    const auto room = may_be_kept ? with_room_for_the_next(capacity) : capacity;
    return new (::operator new(sizeof(block) + room)) block{1, capacity, room, {}};
}

}  // namespace

block* allocate_block(std::size_t capacity, std::shared_ptr<memory_account> account) {
    block* made = account ? account->spares().take(capacity) : nullptr;
    if (!made) made = make_block(capacity, account.get());
    made->references.store(1, std::memory_order_relaxed);
    made->capacity = capacity;
    made->account = std::move(account);
    if (auto* const hears = made->account.get()) {
        hears->on_allocated(made->room);
        if (hears->spares().bytes() > 0) hears->spares().shrink_to(hears->spare_room());
    }
    return made;
}

spare_blocks::~spare_blocks() {
    for (auto& spare : spares_) destroy_one_of(spare);
}

block* spare_blocks::take_from(std::atomic<block*>& spare) noexcept {
    if (!spare.load(std::memory_order_relaxed)) return nullptr;
    auto* const free = spare.exchange(nullptr);
    if (free) bytes_.fetch_sub(free->room);
    return free;
}

void spare_blocks::destroy_one_of(std::atomic<block*>& spare) noexcept {
    if (auto* const free = take_from(spare)) destroy(free);
}

block* spare_blocks::take(std::size_t capacity) noexcept {
    if (!is_worth_keeping(capacity)) return nullptr;
    for (auto& spare : spares_) {
        auto* const free = take_from(spare);
        if (!free) continue;
        if (free->room >= capacity && free->room <= capacity + capacity / 2) return free;
        if (!keep(free, std::numeric_limits<std::size_t>::max())) destroy(free);
    }
    return nullptr;
}

bool spare_blocks::keep(block* free, std::size_t allowance) noexcept {
    // Counted before it can be taken.
    if (bytes_.fetch_add(free->room) + free->room > allowance) {
        bytes_.fetch_sub(free->room);
        return false;
    }
    for (auto& spare : spares_) {
        block* none = nullptr;
        if (spare.compare_exchange_strong(none, free)) return true;
    }
    if (auto* const older = spares_[replaced_++ % spares_.size()].exchange(free)) {
        bytes_.fetch_sub(older->room);
        destroy(older);
    }
    return true;
}

void spare_blocks::shrink_to(std::size_t allowance) noexcept {
    for (auto& spare : spares_) {
        if (bytes() <= allowance) return;
        destroy_one_of(spare);
    }
}

void release_block(block* owner) noexcept {
    if (owner->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
#ifndef NDEBUG
    // A view that outlives its bytes must show in a test, not deliver another topic's data.
    std::memset(owner->data(), 0xdd, owner->capacity);
#endif
    const auto account = std::move(owner->account);
    if (!account) return destroy(owner);
    const auto room = owner->room;
    account->on_released(room);
    if (!is_worth_keeping(room) || !account->spares().keep(owner, account->spare_room())) destroy(owner);
}

}  // namespace detail

shared_bytes shared_bytes::copy_of(bytes_view bytes, std::shared_ptr<memory_account> account) {
    buffer made(bytes.size(), std::move(account));
    if (!bytes.empty()) std::memcpy(made.writable().data(), bytes.data(), bytes.size());
    return std::move(made).freeze(bytes.size());
}

}  // namespace strandline::base
