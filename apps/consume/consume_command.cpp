#include "apps/consume/consume_command.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include <strandline/consumer.hpp>

#include "apps/consume/group_progress.hpp"
#include "apps/consume/reading.hpp"
#include "apps/consume/session.hpp"
#include "apps/consume/starting_points.hpp"

namespace strandline::apps::consume {

namespace {

using clock = std::chrono::steady_clock;

void read_by_hand(session& run) {
    if (assign_by_hand(run)) reading(run, nullptr).go();
}

void read_in_group(session& run, group_progress& group) {
    const auto subscribed = run.source.try_subscribe(run.options.topics, listener_handle(group));
    if (!subscribed) return run.fail(subscribed.error().message());
    reading(run, &group).go();
    // Nobody has been reached: there is nothing to commit, nor anybody to commit it to.
    if (run.reach.made()) group.commit_all();
}

// Leaves the group, in what is left of the time.
void close(session& run, bool in_group) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(run.stopper.deadline() - clock::now());
    const auto within = std::max(std::min(left, run.options.config.close_timeout), std::chrono::milliseconds(200));
    const auto closed = run.source.try_close(within);
    if (!in_group || run.failure) return;
    if (!closed) return run.fail("the group was not left: " + closed.error().message());
    if (!closed->undone.empty()) run.fail("the group was not left: " + closed->undone.front());
}

void print_stats(session& run, clock::time_point since) {
    const auto seconds = std::chrono::duration<double>(clock::now() - since).count();
    const auto& written = run.out.written();
    const auto per_second = [&](double amount) { return seconds > 0 ? amount / seconds : 0.0; };
    run.notes.always(fmt::format("records={} bytes={} seconds={:.3f} records_per_s={:.0f} mb_per_s={:.2f}",
                                 written.records, written.payload, seconds,
                                 per_second(static_cast<double>(written.records)),
                                 per_second(static_cast<double>(written.payload) / 1e6)));
}

}  // namespace

int run(const command_line::consume_options& options) {
    output::notes notes(options.verbosity);
    for (const auto& warning : options.config.warnings) notes.note("note: " + warning);
    const bool draws =
        options.verbosity != output::notes::level::quiet && isatty(STDERR_FILENO) != 0 && isatty(STDOUT_FILENO) == 0;
    stop stopping(options.timeout, draws ? std::optional(progress_line::interval) : std::nullopt);
    const auto since = clock::now();
    auto made = consumer::create(options.config);
    if (!made) {
        notes.always("strandline consume: " + made.error().message());
        return 1;
    }
    session run(options, stopping, notes, *made, draws);
    const bool in_group = options.config.group_id.has_value();
    group_progress group(run);
    if (in_group) {
        read_in_group(run, group);
    } else {
        read_by_hand(run);
    }
    run.line.finish(run.out.written().records);
    close(run, in_group && run.reach.made());
    if (run.failure) notes.always("strandline consume: " + *run.failure);
    if (options.stats) print_stats(run, since);
    return run.failure ? 1 : 0;
}

}  // namespace strandline::apps::consume
