// Counts the bytes of a consumer's buffers, whoever holds them, and tells the reactor of space it waits for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/bytes.hpp"
#include "handoff/wake_line.hpp"

namespace strandline::handoff {

// Freeing a buffer costs one atomic operation; it wakes the reactor once after a decision that awaits space, else
// never. Only space that the decision did not know of wakes it: a release may be counted before the reactor looks and
// come to this question after it has decided.
template <class Primitives>
class memory_gauge final : public base::memory_account {
public:
    explicit memory_gauge(std::shared_ptr<wake_line<Primitives>> line) : line_(std::move(line)) {}

    void on_allocated(std::size_t bytes) noexcept override { bytes_.fetch_add(bytes); }
    void on_released(std::size_t bytes) noexcept override {
        bytes_.fetch_sub(bytes);
        tell_if_below(awaited_below_.load());
    }

    std::size_t spare_room() const noexcept override { return limit_ - std::min(limit_, bytes_.load()); }

    // Buffers in use and those kept to be used again are to stay below it together. Before the first buffer.
    void set_limit(std::size_t bytes) noexcept { limit_ = bytes; }

    std::size_t bytes() const noexcept { return bytes_.load(); }
    // In each turn of the reactor, of which so much was in use at the start. Where that is little turn after turn, what
    // is spare is not kept for the next flood: an idle consumer holds nothing.
    void on_turn(std::size_t in_use) noexcept {
        const bool quiet = in_use < base::detail::spare_blocks::smallest && this->spares().bytes() > 0;
        quiet_turns_ = quiet ? quiet_turns_ + 1 : 0;
        if (quiet_turns_ == quiet_turns_before_letting_go) this->spares().shrink_to(0);
    }
    // `seen`: the count the decision was made from. Space that came back since then signals at once.
    void await_space(bool awaited, std::size_t seen) {
        const auto below = awaited ? seen : nothing;
        awaited_below_.store(below);
        tell_if_below(below);
    }

private:
    // Below it there is no space to come back.
    static constexpr std::size_t nothing = 0;
    // One turn alone may come between two answers of a flood: a commit's, a heartbeat's.
    static constexpr std::uint64_t quiet_turns_before_letting_go = 3;

    // If it is another decision's by now, that one has seen the count of after this release.
    void tell_if_below(std::size_t below) {
        if (below == nothing || bytes_.load() >= below) return;
        if (awaited_below_.compare_exchange_strong(below, nothing)) line_->signal();
    }

    std::shared_ptr<wake_line<Primitives>> line_;
    std::size_t limit_ = 0;
    std::uint64_t quiet_turns_ = 0;
    typename Primitives::template atomic<std::size_t> bytes_{0};
    typename Primitives::template atomic<std::size_t> awaited_below_{nothing};
};

}  // namespace strandline::handoff
