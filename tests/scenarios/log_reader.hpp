// A program that reads logs by hand and notes all that it is told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/scenarios/watched_group.hpp"

namespace strandline::testkit::sim::scenarios {

struct log_reading {
    std::int64_t start = 0;
    bool both = false;  // orders-1 as well
    std::optional<std::int64_t> seek_to;  // before the next poll
    // Of orders-0.
    std::vector<std::int64_t> offsets;
    std::vector<std::optional<std::string>> keys;
    std::vector<std::optional<std::string>> values;
    std::vector<std::int64_t> positions;  // after each poll
    std::vector<std::int64_t> others;     // offsets of orders-1
    std::vector<error> errors;

    void note(const record& one) {
        if (one.topic_partition().partition == 1) return others.push_back(one.offset());
        offsets.push_back(one.offset());
        keys.emplace_back(one.key_text());
        values.emplace_back(one.value_text());
    }
};

inline program reading_log(log_reading& seen) {
    return [&seen](application& self) -> task<> {
        const topic_partition mine{"orders", 0};
        partitions which(1, mine);
        if (seen.both) which.emplace_back("orders", 1);
        co_await self.consumer().assign(which);
        seen.seek_to = seen.start;
        if (seen.both) co_await self.consumer().seek({"orders", 1}, 0);
        for (;;) {
            if (const auto to = std::exchange(seen.seek_to, std::nullopt)) co_await self.consumer().seek(mine, *to);
            auto polled = co_await self.consumer().try_poll(200ms);
            if (polled) {
                for (const auto& one : *polled) {
                    self.took(one);
                    seen.note(one);
                }
            } else {
                seen.errors.push_back(polled.error());
            }
            polled = polled_records();  // nothing is held while it asks
            auto at = co_await self.consumer().try_position(mine, 1s);
            if (at) seen.positions.push_back(*at);
        }
    };
}

}  // namespace strandline::testkit::sim::scenarios
