// The last turns, for whoever asks what led to the present decision. Noting one allocates nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/boundary/turn_record.hpp"

namespace strandline::handoff {

// Plain data, guarded by its owner's lock.
class turn_trace {
public:
    static constexpr std::size_t capacity = 32;

    void add(const core::boundary::turn_record& turn) noexcept { turns_[count_++ % capacity] = turn; }
    // Oldest first.
    std::vector<core::boundary::turn_record> all() const {
        std::vector<core::boundary::turn_record> made;
        const auto kept = std::min(count_, capacity);
        made.reserve(kept);
        for (auto i = count_ - kept; i < count_; ++i) made.push_back(turns_[i % capacity]);
        return made;
    }

private:
    std::array<core::boundary::turn_record, capacity> turns_{};
    std::size_t count_ = 0;
};

}  // namespace strandline::handoff
