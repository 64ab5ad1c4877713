#include "records/compression/bounded_output.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace strandline::records::compression {

namespace {

constexpr std::size_t smallest_capacity = 512;

}  // namespace

bounded_output::bounded_output(std::size_t limit, std::size_t first_guess,
                               std::shared_ptr<base::memory_account> account)
    : limit_(std::min(limit, std::numeric_limits<std::size_t>::max() / 4)), account_(std::move(account)) {
    grow_to(std::clamp(first_guess, std::min(smallest_capacity, limit_ + 1), limit_ + 1));
}

std::span<std::byte> bounded_output::free_space() {
    if (size_ == buffer_.capacity() && !exceeded()) grow_to(std::min(size_ * 2, limit_ + 1));
    return buffer_.writable().subspan(size_);
}

bool bounded_output::reserve(std::size_t bytes) {
    if (bytes > limit_ - std::min(size_, limit_)) return false;
    if (bytes > buffer_.capacity() - size_) grow_to(std::min(std::max(size_ + bytes, size_ * 2), limit_ + 1));
    return true;
}

void bounded_output::grow_to(std::size_t capacity) {
    base::buffer larger(capacity, account_);
    if (size_ > 0) std::memcpy(larger.writable().data(), buffer_.writable().data(), size_);
    buffer_ = std::move(larger);
}

base::shared_bytes bounded_output::take() && {
    if (buffer_.capacity() - size_ > size_ / 4 + smallest_capacity) grow_to(size_);
    return std::move(buffer_).freeze(size_);
}

}  // namespace strandline::records::compression
