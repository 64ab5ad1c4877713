// Another order in which managers are asked than the declared one, for whoever wants to know whether it matters.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/kernel/await_set.hpp"

namespace strandline::core::kernel {

// While it lives, audited agendas of its thread ask in this order; agendas that nobody audits have never heard of it.
// One at a time in a thread. The managers outlive it.
class asking_order {
public:
    explicit asking_order(const std::vector<manager_index>& managers) noexcept { followed = &managers; }
    ~asking_order() { followed = nullptr; }
    asking_order(const asking_order&) = delete;
    asking_order& operator=(const asking_order&) = delete;

    // Whom to ask next of these, given as bits.
    static manager_index next_of(std::uint32_t touched) noexcept {
        const auto first_declared = static_cast<manager_index>(std::countr_zero(touched));
        if (!followed) return first_declared;
        const auto next = std::find_if(followed->begin(), followed->end(), [&](manager_index manager) {
            return (touched & std::uint32_t{1} << manager) != 0;
        });
        return next == followed->end() ? first_declared : *next;
    }

private:
    inline static constinit thread_local const std::vector<manager_index>* followed = nullptr;
};

}  // namespace strandline::core::kernel
