// Bytes as they travel from the socket to the application: one allocation, many views, freed with the last view.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace strandline::base {

using bytes_view = std::span<const std::byte>;

inline bytes_view as_bytes(std::string_view text) noexcept {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
inline std::string_view as_text(bytes_view bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class memory_account;

namespace detail {

struct block {
    std::atomic<std::uint32_t> references;
    std::size_t capacity;  // asked for
    std::size_t room;      // there is
    std::shared_ptr<memory_account> account;

    std::byte* data() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
};

block* allocate_block(std::size_t capacity, std::shared_ptr<memory_account> account);
void release_block(block* owner) noexcept;

// A few large blocks that are free, to be used again: what is given back to the system and taken from it anew for each
// answer of a broker costs more than to receive it. How many bytes of them there may be is the account's to say, at
// each step. Any thread may keep and take.
class spare_blocks {
public:
    static constexpr std::size_t smallest = std::size_t{64} * 1024;
    static constexpr std::size_t largest = std::size_t{2} * 1024 * 1024;
    // Where every access is watched, whoever looks at a free block is to be found out.
#if defined(__SANITIZE_ADDRESS__)
    static constexpr bool keeps_any = false;
#elif defined(__has_feature)
    static constexpr bool keeps_any = !__has_feature(address_sanitizer);
#else
    static constexpr bool keeps_any = true;
#endif

    spare_blocks() = default;
    spare_blocks(const spare_blocks&) = delete;
    spare_blocks& operator=(const spare_blocks&) = delete;
    ~spare_blocks();

    // One with room for `capacity` bytes and not much more; null if there is none.
    block* take(std::size_t capacity) noexcept;
    // False: there is no room for it. With enough of them, a newer one takes the place of an older one.
    bool keep(block* free, std::size_t allowance) noexcept;
    // Frees some until no more than `allowance` bytes are kept.
    void shrink_to(std::size_t allowance) noexcept;
    std::size_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }

private:
    void destroy_one_of(std::atomic<block*>& spare) noexcept;
    // Null if it is another's by now.
    block* take_from(std::atomic<block*>& spare) noexcept;

    std::array<std::atomic<block*>, 6> spares_{};
    std::atomic<std::size_t> bytes_{0};
    std::atomic<std::uint32_t> replaced_{0};
};

}  // namespace detail

// Hears of every buffer that is allocated for it and of every one that is freed, from whichever thread frees it.
// Must outlive nothing: each buffer keeps its account alive.
class memory_account {
public:
    virtual ~memory_account() = default;
    virtual void on_allocated(std::size_t bytes) noexcept = 0;
    virtual void on_released(std::size_t bytes) noexcept = 0;
    // Bytes of free buffers that may be kept at this moment, to be used again: what its limit leaves beside those in
    // use.
    virtual std::size_t spare_room() const noexcept { return 0; }

    // Of its own buffers, those that are free. They do not count as allocated.
    detail::spare_blocks& spares() noexcept { return spares_; }

private:
    detail::spare_blocks spares_;
};

// An immutable view that keeps its bytes alive. Copying counts a reference; any thread may hold and drop one.
class shared_bytes {
public:
    shared_bytes() noexcept = default;
    // A private copy of `bytes`.
    static shared_bytes copy_of(bytes_view bytes, std::shared_ptr<memory_account> account = {});

    shared_bytes(const shared_bytes& other) noexcept : owner_(other.owner_), view_(other.view_) { retain(); }
    shared_bytes(shared_bytes&& other) noexcept
        : owner_(std::exchange(other.owner_, nullptr)), view_(std::exchange(other.view_, {})) {}
    shared_bytes& operator=(shared_bytes other) noexcept {
        std::swap(owner_, other.owner_);
        std::swap(view_, other.view_);
        return *this;
    }
    ~shared_bytes() {
        if (owner_) detail::release_block(owner_);
    }

    bytes_view view() const noexcept { return view_; }
    const std::byte* data() const noexcept { return view_.data(); }
    std::size_t size() const noexcept { return view_.size(); }
    bool empty() const noexcept { return view_.empty(); }
    operator bytes_view() const noexcept { return view_; }

    // The part [offset, offset + length) with the same owner. The range must lie inside.
    shared_bytes slice(std::size_t offset, std::size_t length) const noexcept {
        shared_bytes part(*this);
        part.view_ = view_.subspan(offset, length);
        return part;
    }
    shared_bytes slice(std::size_t offset) const noexcept { return slice(offset, size() - offset); }

    // Bytes of the whole allocation behind this view: what holding it costs.
    std::size_t pinned() const noexcept { return owner_ ? owner_->room : 0; }
    // Two views with the same non-null identity pin the same allocation.
    const void* identity() const noexcept { return owner_; }

    friend bool operator==(const shared_bytes& a, const shared_bytes& b) noexcept {
        return as_text(a.view_) == as_text(b.view_);
    }

private:
    friend class buffer;
    shared_bytes(detail::block* owner, bytes_view view) noexcept : owner_(owner), view_(view) {}
    void retain() const noexcept {
        if (owner_) owner_->references.fetch_add(1, std::memory_order_relaxed);
    }

    detail::block* owner_ = nullptr;
    bytes_view view_;
};

// A writable allocation with one owner. Freezing it (or a prefix of it) gives the views; after that nobody writes.
class buffer {
public:
    buffer() noexcept = default;
    // Throws std::bad_alloc. The account hears of the room that it takes now and when the last view is gone.
    explicit buffer(std::size_t capacity, std::shared_ptr<memory_account> account = {})
        : block_(detail::allocate_block(capacity, std::move(account))) {}
    buffer(buffer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
    buffer& operator=(buffer&& other) noexcept {
        std::swap(block_, other.block_);
        return *this;
    }
    ~buffer() {
        if (block_) detail::release_block(block_);
    }

    std::span<std::byte> writable() noexcept {
        return block_ ? std::span<std::byte>{block_->data(), block_->capacity} : std::span<std::byte>{};
    }
    std::size_t capacity() const noexcept { return block_ ? block_->capacity : 0; }
    explicit operator bool() const noexcept { return block_ != nullptr; }

    shared_bytes freeze(std::size_t length) && noexcept {
        auto* owner = std::exchange(block_, nullptr);
        return {owner, owner ? bytes_view{owner->data(), length} : bytes_view{}};
    }

private:
    detail::block* block_ = nullptr;
};

}  // namespace strandline::base
