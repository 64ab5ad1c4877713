#include "core/fetch/broker_fetcher.hpp"

#include <algorithm>
#include <chrono>

namespace strandline::core::fetch {

void broker_fetcher::adapt(base::duration took, bool filled, bool nothing_waiting, std::size_t largest) noexcept {
    constexpr base::duration far = std::chrono::milliseconds(5);
    constexpr base::duration near = std::chrono::milliseconds(2);
    const auto smallest = std::min(fetch_budget::answer_size, largest);
    if (filled && nothing_waiting && took > far) {
        answer_size = std::min(answer_size * 2, largest);
    } else if (took < near) {
        answer_size = std::max(answer_size / 2, smallest);
    }
    answer_size = std::min(answer_size, largest);
}

}  // namespace strandline::core::fetch
