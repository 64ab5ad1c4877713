#include "apps/consume/reading.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace strandline::apps::consume {

namespace {

// A signal, a reader that went away and the progress line are looked at this often.
constexpr std::chrono::milliseconds one_poll(100);

}  // namespace

void reading::go() {
    while (!run_.is_over() && !printer_.has_enough() && !is_at_end()) {
        auto polled = run_.source.try_poll(run_.stopper.at_most(one_poll));
        if (!polled) {
            handle(polled.error());
        } else {
            const bool idle = polled->next_offsets().empty();
            note_resets(polled->resets());
            printer_.print(std::move(*polled));
            if (idle) when_idle();
        }
        run_.look_around();
        if (!group_) continue;
        group_->commit_in_passing();
    }
    if (!run_.is_over() && !printer_.has_enough()) look_a_last_time();
}

// What led to the end may not have been told yet. Nothing more is to be read.
void reading::look_a_last_time() {
    static_cast<void>(run_.source.try_pause(run_.source.assignment()));
    const auto polled = run_.source.try_poll(std::chrono::milliseconds(0));
    if (polled) note_resets(polled->resets());
}

// That the policy decides where a new group begins is what was asked for.
void reading::note_resets(const std::vector<position_reset>& resets) {
    for (const auto& each : resets) {
        const bool is_committed = group_ && !run_.progress[each.partition].next && each.from;
        if (each.why == position_reset::cause::no_committed_offset) {
            run_.notes.detail(to_string(each));
        } else if (each.why == position_reset::cause::out_of_range && is_committed) {
            run_.notes.note(fmt::format("{}: the committed offset {} is out of range; auto.offset.reset goes on at {}",
                                        to_string(each.partition), *each.from, each.to));
        } else {
            run_.notes.note(to_string(each) + ", as auto.offset.reset says");
        }
    }
}

void reading::handle(const error& failure) {
    if (failure.fatal() || !failure.retriable()) return run_.fail(failure.message());
    const auto now = contact::clock::now();
    if (now < next_error_note_) return;
    next_error_note_ = now + std::chrono::seconds(1);
    run_.notes.note(failure.message());
}

void reading::when_idle() {
    if (run_.out.is_closed()) run_.stopper.output_closed();
    if (!group_ || contact::clock::now() < next_topics_look_) return;
    next_topics_look_ = contact::clock::now() + std::chrono::seconds(1);
    note_unknown_topics(run_.source.explain());
}

void reading::note_unknown_topics(const explanation& why) {
    for (const auto& topic : why.unknown_topics) {
        if (std::ranges::find(told_topics_, topic) != told_topics_.end()) continue;
        told_topics_.push_back(topic);
        run_.notes.note(fmt::format("topic {} does not exist; waiting for it", topic));
    }
    std::erase_if(told_topics_, [&](const auto& topic) {
        return std::ranges::find(why.unknown_topics, topic) == why.unknown_topics.end();
    });
}

bool reading::is_at_end() {
    if (!run_.options.exit_eof) return false;
    if (group_ && !group_->is_assigned()) return false;
    bool all = true;
    partitions just_finished;
    const auto assigned =
        group_ ? partitions(group_->assigned().begin(), group_->assigned().end()) : run_.source.assignment();
    for (const auto& partition : assigned) {
        auto& progress = run_.progress[partition];
        const bool before = progress.finished;
        look_at_end(partition, progress);
        all = all && progress.finished;
        if (progress.finished && !before) just_finished.push_back(partition);
    }
    // What comes after the end need not be fetched.
    if (!all && !just_finished.empty()) static_cast<void>(run_.source.try_pause(just_finished));
    return all;
}

void reading::look_at_end(const topic_partition& partition, partition_progress& progress) {
    if (progress.finished || !progress.end) return;
    const bool is_past = progress.next && progress.next->offset >= *progress.end;
    if (is_past || (!progress.is_cut && *progress.end == 0)) {
        progress.finished = true;
    } else if (!progress.is_cut) {
        // Control records and compacted stretches at the end move the position and are never polled.
        const auto at = run_.source.lag(partition);
        if (!at || *at > 0) return;
        const auto position = run_.source.try_position(partition, std::chrono::milliseconds(50));
        progress.finished = position && *position >= *progress.end;
    }
}

}  // namespace strandline::apps::consume
