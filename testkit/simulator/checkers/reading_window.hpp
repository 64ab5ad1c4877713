// What one consumer was handed out of one log, piece by piece, and how far it has gone through it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "testkit/simulator/checkers/observation.hpp"

namespace strandline::testkit::sim {

struct handed_piece {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t cursor = 0;  // next to be seen
    std::uint64_t cuts = 0;  // of any log, when it was asked for
};

// Of one incarnation.
struct reading_window {
    core::boundary::incarnation era{0};
    std::deque<handed_piece> pieces;
    std::int64_t handed_to = -1;  // end of the newest piece; -1: none yet
    std::uint64_t cuts = 0;  // before the newest piece was asked for

    handed_piece* holding(std::int64_t offset) noexcept {
        for (auto& piece : pieces) {
            if (piece.from <= offset && offset < piece.to) return &piece;
        }
        return nullptr;
    }
    void drop_below(std::int64_t next) {
        while (!pieces.empty() && pieces.front().to <= next) pieces.pop_front();
    }
};

// How far the unbroken run of what is processed reaches, out of the pieces of one incarnation in the order in which
// they were handed out: what lies behind a piece that is held on to, and not read to its end, does not count.
class processed_run {
public:
    void on_piece(std::int64_t from, std::int64_t to) {
        if (reached_ < 0) reached_ = from;
        pieces_.push_back({to, from});
    }
    // Everything that was handed out below `next`, in the piece that holds it.
    void on_processed(std::int64_t next) {
        const auto at = std::find_if(pieces_.begin(), pieces_.end(), [&](const piece& one) { return next <= one.to; });
        if (at != pieces_.end()) {
            at->reached = std::max(at->reached, next);
        } else {
            pieces_.push_back({next, next});  // a stretch without records, passed over unseen
        }
        while (!pieces_.empty()) {
            reached_ = std::max(reached_, pieces_.front().reached);
            if (pieces_.front().reached < pieces_.front().to) return;
            pieces_.pop_front();
        }
    }
    // -1: nothing was handed out yet.
    std::int64_t reached() const noexcept { return reached_; }
    // The same, past what holds nothing to process: whoever read on has passed it unseen.
    template <class HoldsNothing>
    std::int64_t reached_past(HoldsNothing&& holds_nothing) const {
        auto reached = reached_;
        for (const auto& one : pieces_) {
            reached = std::max(reached, one.reached);
            if (one.reached < one.to && !holds_nothing(one.reached, one.to)) return reached;
            reached = std::max(reached, one.to);
        }
        return reached;
    }
    void begin_at(std::int64_t position) noexcept { reached_ = position; }

private:
    struct piece {
        std::int64_t to;
        std::int64_t reached;
    };
    std::deque<piece> pieces_;  // not processed to their ends
    std::int64_t reached_ = -1;
};

}  // namespace strandline::testkit::sim
