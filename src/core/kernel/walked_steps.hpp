// Which steps of its table a state machine has made. The tables are data; this is what of them a run has walked, for
// whoever looks on and compares.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace strandline::core::kernel {

class walked_steps {
public:
    static constexpr std::size_t states_at_most = 32;

    // States by their index. Staying where it is is no step.
    void note(std::size_t from, std::size_t to) noexcept {
        if (from == to || has(from, to)) return;
        to_[from] |= std::uint32_t{1} << to;
        ++distinct_;
    }
    bool has(std::size_t from, std::size_t to) const noexcept { return (to_[from] >> to & 1U) != 0; }
    // How many different ones; it only grows.
    std::uint32_t distinct() const noexcept { return distinct_; }

private:
    std::array<std::uint32_t, states_at_most> to_{};
    std::uint32_t distinct_ = 0;
};

}  // namespace strandline::core::kernel
