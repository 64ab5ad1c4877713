#include "apps/consume/progress_line.hpp"

#include <fmt/format.h>

namespace strandline::apps::consume {

namespace {

// Asking for the lag of each of very many partitions, twice a second, would cost more than reading them.
constexpr std::size_t most_partitions_with_lag = 200;

std::string lag_text(const consumer& of, const partitions& assigned) {
    if (assigned.size() > most_partitions_with_lag) return {};
    std::int64_t sum = 0;
    for (const auto& each : assigned) {
        const auto lag = of.lag(each);
        if (!lag) return "  lag unknown";
        sum += *lag;
    }
    return fmt::format("  lag {}", sum);
}

}  // namespace

progress_line::progress_line(const consumer& of, output::notes& on, bool draws)
    : consumer_(of), notes_(on), draws_(draws), drawn_at_(clock::now()), next_(drawn_at_) {}

void progress_line::redraw(std::uint64_t records) {
    if (!draws_) return;
    const auto now = clock::now();
    if (now < next_) return;
    next_ = now + interval;
    notes_.draw(text(records, now));
}

void progress_line::finish(std::uint64_t records) {
    if (!draws_) return;
    notes_.draw(text(records, clock::now()) + "\n");
    draws_ = false;
}

std::string progress_line::text(std::uint64_t records, clock::time_point now) {
    const std::chrono::duration<double> since = now - drawn_at_;
    const auto rate = since.count() > 0 ? static_cast<double>(records - drawn_records_) / since.count() : 0.0;
    drawn_at_ = now;
    drawn_records_ = records;
    const auto assigned = consumer_.assignment();
    return fmt::format("{} records  {:.0f}/s{}  {} partitions", records, rate, lag_text(consumer_, assigned),
                       assigned.size());
}

}  // namespace strandline::apps::consume
