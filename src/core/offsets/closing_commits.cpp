#include "core/offsets/closing_commits.hpp"

#include <algorithm>
#include <utility>

namespace strandline::core::offsets {

bool closing_commits::begins(exchange::close_stage stage) noexcept {
    return is_stage(stage) && std::exchange(begun_, stage) != stage;
}

bool closing_commits::ends(exchange::close_stage stage) noexcept {
    return is_stage(stage) && std::exchange(ended_, stage) != stage;
}

base::instant closing_commits::deadline_of(const exchange::lifecycle_view& lifecycle, base::instant now) noexcept {
    const auto budget =
        lifecycle.stage_deadline == base::never ? base::duration::max() : lifecycle.stage_deadline - now;
    return base::saturating_add(now, budget - budget / 16);
}

bool closing_commits::is_unanswered(const commit_item& item) const {
    return std::ranges::any_of(unanswered_, [&](const commit_item& sent) {
        return sent.partition == item.partition && sent.offset.offset == item.offset.offset;
    });
}

}  // namespace strandline::core::offsets
