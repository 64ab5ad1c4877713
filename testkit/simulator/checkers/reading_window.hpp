// What one consumer was handed out of one log, piece by piece, and how far it has gone through it.
#pragma once

#include <cstdint>
#include <deque>

#include "testkit/simulator/observation.hpp"

namespace strandline::testkit::sim {

struct handed_piece {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t cursor = 0;  // next to be seen
    std::uint32_t truncations = 0;  // of the log when it was handed out
};

// Of one incarnation.
struct reading_window {
    core::boundary::incarnation era{0};
    std::deque<handed_piece> pieces;
    std::int64_t handed_to = -1;  // end of the newest piece; -1: none yet

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

}  // namespace strandline::testkit::sim
