#include "apps/consume/group_progress.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace strandline::apps::consume {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds commit_on_leave(5000);
// Without a signal, how long the last commit may take.
constexpr milliseconds last_commit(30'000);
constexpr milliseconds one_position(1000);

std::string text_of(const offsets& named) {
    std::string text;
    for (const auto& [partition, next] : named) {
        if (!text.empty()) text += ", ";
        text += fmt::format("{} up to {}", to_string(partition), next.offset);
    }
    return text;
}

}  // namespace

void group_progress::on_assigned(consumer_access access, const partitions& added) {
    is_assigned_ = true;
    assigned_.insert(added.begin(), added.end());
    run_.notes.detail(added.empty() ? "assigned: nothing" : "assigned: " + to_string(added));
    for (const auto& each : added) {
        auto& progress = run_.progress[each];
        progress.next.reset();
        progress.committed.reset();
        progress.is_cut = false;
        progress.finished = false;
    }
    if (run_.options.exit_eof) find_ends(access, added);
}

// The end that a partition had when it was first read stays its end, whoever read it in between.
void group_progress::find_ends(consumer_access& access, const partitions& added) {
    partitions unknown;
    std::ranges::copy_if(added, std::back_inserter(unknown),
                         [&](const auto& each) { return !run_.progress[each].end; });
    if (unknown.empty()) return;
    const auto ends = attempt(run_, "looking up where the partitions end",
                              [&](milliseconds within) { return access.try_end_offsets(unknown, within); });
    if (!ends) return;
    for (const auto& [partition, end] : *ends) run_.progress[partition].end = end;
}

void group_progress::on_revoked(consumer_access access, const partitions& leaving) {
    offsets named = uncommitted();
    std::erase_if(named, [&](const auto& each) { return std::ranges::find(leaving, each.first) == leaving.end(); });
    if (!leaving.empty()) run_.notes.detail("revoked: " + to_string(leaving));
    if (!named.empty()) {
        const auto done = access.try_commit(named, commit_on_leave);
        if (!done) {
            run_.notes.note(fmt::format("not committed: {}; whoever takes over prints it again: {}", text_of(named),
                                        done.error().message()));
        }
    }
    forget(leaving);
}

void group_progress::on_lost(consumer_access, const partitions& gone) {
    run_.notes.note(
        fmt::format("lost to the group: {}; what was not committed of it will be printed again", to_string(gone)));
    // The member joins again, and hears what is assigned to it then.
    is_assigned_ = false;
    forget(gone);
}

void group_progress::forget(const partitions& gone) {
    for (const auto& each : gone) {
        assigned_.erase(each);
        const auto at = run_.progress.find(each);
        if (at == run_.progress.end()) continue;
        const auto end = at->second.end;
        at->second = {};
        at->second.end = end;
    }
}

offsets group_progress::uncommitted() const {
    offsets named;
    for (const auto& [partition, progress] : run_.progress) {
        if (progress.next && progress.next != progress.committed) named[partition] = *progress.next;
    }
    return named;
}

void group_progress::note_committed(const offsets& named) {
    for (const auto& [partition, next] : named) {
        const auto at = run_.progress.find(partition);
        if (at != run_.progress.end() && at->second.next) at->second.committed = next;
    }
}

void group_progress::commit_in_passing() {
    if (commit_under_way_ || clock::now() < next_commit_) return;
    next_commit_ = clock::now() + run_.options.config.auto_commit_interval;
    auto named = uncommitted();
    if (named.empty()) return;
    const auto sent = run_.source.try_commit_async(named, [this](const consumer_access&, const commit_result& result) {
        commit_under_way_ = false;
        if (result) return note_committed(result.committed);
        run_.notes.note("commit failed, it is repeated: " + result.failure->message());
    });
    commit_under_way_ = sent.has_value();
    if (!sent) run_.notes.note("commit failed, it is repeated: " + sent.error().message());
}

// Where nothing was printed, a next run is to begin where this one would have gone on, not where a reset leads then.
void group_progress::add_positions(offsets& named) {
    const auto give_up = clock::now() + one_position;
    for (const auto& partition : run_.source.assignment()) {
        const auto& progress = run_.progress[partition];
        if (progress.is_cut) continue;
        // After a signal nobody waits for a position that is still being looked up.
        const auto left = std::chrono::duration_cast<milliseconds>(give_up - clock::now());
        const auto within = run_.stopper.by_signal() ? milliseconds(100) : std::max(left, milliseconds(100));
        const auto at = run_.source.try_position(partition, within);
        if (!at) continue;
        if (progress.next && progress.next->offset >= *at) continue;
        if (progress.committed && progress.committed->offset == *at) continue;
        named[partition] = offset_and_metadata(*at);
    }
}

bool group_progress::commit_all() {
    auto named = uncommitted();
    const auto printed = named;
    add_positions(named);
    if (named.empty()) return true;
    const auto deadline = std::min(run_.stopper.deadline(), clock::now() + last_commit);
    std::string why = "no time was left for it";
    for (;;) {
        const auto left =
            std::chrono::duration_cast<milliseconds>(std::min(deadline, run_.stopper.deadline()) - clock::now());
        // Something is left for leaving the group.
        const auto within = std::min(left - milliseconds(500), milliseconds(2000));
        if (within.count() <= 0) break;
        const auto done = run_.source.try_commit(named, within);
        if (done) {
            note_committed(named);
            return true;
        }
        why = done.error().message();
        if (!(done.error() == errc::timed_out) && !done.error().retriable()) break;
    }
    const bool is_exact = run_.options.count.has_value() || run_.options.exit_eof;
    if (printed.empty() && !is_exact) return true;
    run_.fail(fmt::format("not committed to group {}: {}; the next run prints it again: {}",
                          *run_.options.config.group_id, text_of(printed.empty() ? named : printed), why));
    return false;
}

}  // namespace strandline::apps::consume
