// What a poll finds when it looks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include <strandline/error.hpp>

#include "core/boundary/delivery.hpp"
#include "core/boundary/notice.hpp"
#include "handoff/operation.hpp"

namespace strandline::handoff {

// Where the application keeps what it found out about a fetch that it takes in several stretches. It goes with what is
// left of the fetch: data that is dropped untaken is not to be held by what was made of it.
struct reading_place {
    std::shared_ptr<void> made;
};

// A stretch of one completed fetch: its records with from <= offset < to. `last`: nothing of the fetch follows.
struct fetched_piece {
    std::shared_ptr<const core::boundary::completed_fetch> source;
    std::int64_t from = 0;
    std::int64_t to = 0;
    bool last = true;
    std::shared_ptr<reading_place> place;  // null when all of the fetch is taken at once
};

struct take_limits {
    std::size_t bytes = 0;    // stop after the fetch that reaches it; at least one is taken
    std::int64_t records = 0;  // never more offsets than this; 0: no limit
};

struct poll_offer {
    enum class kind { nothing, failed, woken, notice, ended, data };
    kind what = kind::nothing;
    std::uint64_t version = 0;  // of what was looked at: park on it
    std::optional<error> failure;
    std::optional<core::boundary::notice> notice;
    std::unique_ptr<operation> call;
};

}  // namespace strandline::handoff
