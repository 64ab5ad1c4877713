#include "apps/consume/silence.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace strandline::apps::consume {

namespace {

constexpr auto look_interval = std::chrono::seconds(1);

}  // namespace

void silence::look(std::uint64_t records, clock::time_point now) {
    if (records != records_) {
        records_ = records;
        since_ = now;
        told_ = false;
    }
    if (told_ || now - since_ < limit_ || now < next_look_) return;
    next_look_ = now + look_interval;
    if (!is_suspicious()) return;
    told_ = true;
    notes_.note(fmt::format("no record for {:g} s. {}", std::chrono::duration<double>(limit_).count(),
                            to_string(consumer_.explain())));
}

bool silence::is_suspicious() const {
    const auto assigned = consumer_.assignment();
    if (assigned.empty()) return true;
    return std::ranges::any_of(assigned,
                               [&](const auto& partition) { return consumer_.lag(partition).value_or(1) > 0; });
}

}  // namespace strandline::apps::consume
