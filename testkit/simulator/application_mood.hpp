// What a fault plan wants of a simulated application at the moment; its program looks at it as it goes.
#pragma once

#include <cstdint>
#include <optional>

#include "base/instant.hpp"

namespace strandline::testkit::sim {

struct application_mood {
    // ---- while it lasts
    base::instant slow_callbacks_until{};
    base::duration callback_delay{};
    base::instant throwing_until{};
    base::instant slow_until{};
    base::duration delay_between_polls{};
    base::instant paused_until{};
    // ---- once, at the next opportunity
    std::optional<std::int64_t> seek_back;  // records; negative: to an end
    std::optional<base::duration> resubscribe_after;
    std::optional<base::duration> close_for;
};

}  // namespace strandline::testkit::sim
