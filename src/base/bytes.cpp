#include "base/bytes.hpp"

#include <cstring>
#include <new>

namespace strandline::base {

namespace detail {

block* allocate_block(std::size_t capacity, std::shared_ptr<memory_account> account) {
    void* memory = ::operator new(sizeof(block) + capacity);
    auto* made = new (memory) block{1, capacity, std::move(account)};
    if (made->account) made->account->on_allocated(capacity);
    return made;
}

void release_block(block* owner) noexcept {
    if (owner->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
#ifndef NDEBUG
    // A view that outlives its bytes must show in a test, not deliver another topic's data.
    std::memset(owner->data(), 0xdd, owner->capacity);
#endif
    const auto account = std::move(owner->account);
    const auto capacity = owner->capacity;
    owner->~block();
    ::operator delete(owner);
    if (account) account->on_released(capacity);
}

}  // namespace detail

shared_bytes shared_bytes::copy_of(bytes_view bytes, std::shared_ptr<memory_account> account) {
    buffer made(bytes.size(), std::move(account));
    if (!bytes.empty()) std::memcpy(made.writable().data(), bytes.data(), bytes.size());
    return std::move(made).freeze(bytes.size());
}

}  // namespace strandline::base
