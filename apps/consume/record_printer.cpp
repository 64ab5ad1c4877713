#include "apps/consume/record_printer.hpp"

#include <set>
#include <utility>

#include "apps/output/json_line.hpp"

namespace strandline::apps::consume {

void record_printer::print(polled_records polled) {
    const auto reached = polled.next_offsets();
    const auto standing = polled.errors();
    auto parts = std::move(polled).by_partition();
    std::set<topic_partition> with_records;
    for (auto& part : parts) {
        with_records.insert(part.topic_partition());
        print(part);
    }
    // Partitions that only moved: control records, aborted ones, compacted stretches.
    for (const auto& [partition, next] : reached) {
        auto& progress = run_.progress[partition];
        if (with_records.contains(partition) || stuck_) continue;
        run_.out.begin_partition(progress);
        run_.out.settle(next);
    }
    flush();
    for (const auto& each : standing) run_.fail(each.reason.message());
}

void record_printer::print(partition_records& part) {
    auto& progress = run_.progress[part.topic_partition()];
    run_.out.begin_partition(progress);
    for (const auto& each : part) {
        // Everything before it has been printed, or there was nothing.
        if (!progress.next) progress.next = offset_and_metadata(each.offset());
        const bool is_behind_end = progress.end && each.offset() >= *progress.end;
        if (is_behind_end || has_enough() || stuck_) {
            if (is_behind_end) progress.finished = true;
            progress.is_cut = true;
            return;
        }
        append(each);
        if (run_.out.is_full() && !flush()) {
            progress.is_cut = true;
            return;
        }
    }
    if (const auto failure = part.failure()) {
        progress.is_cut = true;
        run_.fail(failure->message());
        return;
    }
    run_.out.settle(part.next_offset());
}

void record_printer::append(const record& each) {
    const auto shown = output::printable(each);
    auto& text = run_.out.text();
    if (run_.options.format) {
        run_.options.format->append(text, shown);
    } else {
        output::append_json_line(text, shown);
    }
    ++formatted_;
    const auto size = [](const auto& bytes) { return bytes ? bytes->size() : 0; };
    run_.out.end_record(each.offset() + 1, each.leader_epoch().value_or(-1), size(shown.key) + size(shown.value));
}

bool record_printer::flush() {
    switch (run_.out.flush()) {
        case record_output::state::open: break;
        case record_output::state::closed:
            run_.stopper.output_closed();
            stuck_ = true;
            break;
        case record_output::state::interrupted: stuck_ = true; break;
        case record_output::state::failed:
            run_.fail("cannot write to stdout: " + run_.out.failure());
            stuck_ = true;
            break;
    }
    // A stop in the middle of a large poll need not wait for its end.
    stuck_ = stuck_ || run_.stopper.requested();
    return !stuck_;
}

}  // namespace strandline::apps::consume
