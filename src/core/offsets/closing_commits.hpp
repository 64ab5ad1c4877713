// What the stages of close mean to commits: which has begun, which is over, and what was sent without an answer.
#pragma once

#include <utility>

#include "base/instant.hpp"
#include "core/exchange/lifecycle_view.hpp"
#include "core/offsets/commit_item.hpp"

namespace strandline::core::offsets {

class closing_commits {
public:
    // Of what the application has processed, and of what its callbacks added.
    static bool is_stage(exchange::close_stage stage) noexcept {
        return stage == exchange::close_stage::commit || stage == exchange::close_stage::commit_more;
    }

    // Once for each stage.
    bool begins(exchange::close_stage stage) noexcept;
    bool ends(exchange::close_stage stage) noexcept;
    // Until when commits of this stage may take: a little less than it has, so that it can still report what it leaves
    // behind.
    static base::instant deadline_of(const exchange::lifecycle_view& lifecycle, base::instant now) noexcept;

    // A commit of a stage ended while it was on the wire. Once more it would only stand before the leave there.
    void on_unanswered(commit_items items) { unanswered_ = std::move(items); }
    bool is_unanswered(const commit_item& item) const;

private:
    exchange::close_stage begun_ = exchange::close_stage::open;
    exchange::close_stage ended_ = exchange::close_stage::open;
    commit_items unanswered_;
};

}  // namespace strandline::core::offsets
