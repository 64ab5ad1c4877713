// Counts the bytes of a consumer's buffers, whoever holds them, and tells the reactor of space it waits for.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "base/bytes.hpp"
#include "handoff/wake_line.hpp"

namespace strandline::handoff {

// Freeing a buffer costs one atomic operation; it wakes the reactor once after a decision that awaits space, else
// never.
template <class Primitives>
class memory_gauge final : public base::memory_account {
public:
    explicit memory_gauge(std::shared_ptr<wake_line<Primitives>> line) : line_(std::move(line)) {}

    void on_allocated(std::size_t bytes) noexcept override { bytes_.fetch_add(bytes); }
    void on_released(std::size_t bytes) noexcept override {
        bytes_.fetch_sub(bytes);
        if (awaited_.load() && awaited_.exchange(false)) line_->signal();
    }

    std::size_t bytes() const noexcept { return bytes_.load(); }
    // `seen`: the count the decision was made from. Space that came back since then signals at once.
    void await_space(bool awaited, std::size_t seen) {
        awaited_.store(awaited);
        if (awaited && bytes_.load() < seen && awaited_.exchange(false)) line_->signal();
    }

private:
    std::shared_ptr<wake_line<Primitives>> line_;
    typename Primitives::template atomic<std::size_t> bytes_{0};
    typename Primitives::template atomic<bool> awaited_{false};
};

}  // namespace strandline::handoff
