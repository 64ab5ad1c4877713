// Where a codec writes: grows as output comes, never past the limit.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/bytes.hpp"

namespace strandline::records::compression {

// Room is given for one byte beyond the limit, so that "just fits" is told from "goes on" without asking the codec.
class bounded_output {
public:
    bounded_output(std::size_t limit, std::size_t first_guess, std::shared_ptr<base::memory_account> account);

    // Where to write next; never empty unless exceeded(). Grows when nothing is free.
    std::span<std::byte> free_space();
    // At least `bytes` of it in one piece. False, and nothing reserved, when that would go past the limit.
    bool reserve(std::size_t bytes);
    void wrote(std::size_t bytes) noexcept { size_ += bytes; }

    bool exceeded() const noexcept { return size_ > limit_; }
    std::size_t size() const noexcept { return size_; }
    std::size_t limit() const noexcept { return limit_; }
    std::size_t capacity() const noexcept { return buffer_.capacity(); }

    // Copies when too much of the room would be pinned for nothing.
    base::shared_bytes take() &&;

private:
    void grow_to(std::size_t capacity);

    std::size_t limit_;
    std::shared_ptr<base::memory_account> account_;
    base::buffer buffer_;
    std::size_t size_ = 0;
};

}  // namespace strandline::records::compression
