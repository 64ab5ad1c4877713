// Records, rate, lag and partitions, in one line that is redrawn.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <strandline/consumer.hpp>

#include "apps/output/notes.hpp"

namespace strandline::apps::consume {

class progress_line {
public:
    using clock = std::chrono::steady_clock;
    static constexpr auto interval = std::chrono::milliseconds(500);

    // Draws nothing unless `draws`.
    progress_line(const consumer& of, output::notes& on, bool draws);

    // If it is time to.
    void redraw(std::uint64_t records);
    // Takes it away; what stays on the screen is the last of it.
    void finish(std::uint64_t records);

private:
    std::string text(std::uint64_t records, clock::time_point now);

    const consumer& consumer_;
    output::notes& notes_;
    bool draws_;
    clock::time_point drawn_at_;
    clock::time_point next_;
    std::uint64_t drawn_records_ = 0;
};

}  // namespace strandline::apps::consume
