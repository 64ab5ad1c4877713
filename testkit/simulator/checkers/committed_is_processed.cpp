// V7, R4. A commit names an offset below which nothing is left to process, or one that the application named itself.
// Compared with the true log: control records, aborted and compacted stretches are nothing to process.
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/reading_window.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class committed_is_processed final : public checker {
public:
    committed_is_processed() noexcept
        : checker("V7", "a commit never exceeds what is processed, unless the application named the offset",
                  happenings_of<observed::turn_decided, observed::processed, observed::call_begun,
                                observed::request_sent, observed::slot_updated, observed::poll_returned,
                                observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            const auto* commit = std::get_if<observed::commit_content>(&sent->content);
            if (!commit) return;
            for (const auto& [log, offset] : commit->offsets) on_commit(seen, log, offset, known);
        } else if (const auto* processed = std::get_if<observed::processed>(&seen.what)) {
            auto& at = places_[seen.consumer][processed->log];
            if (processed->era == at.era) at.processed.on_processed(processed->next);
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            by_hand_[seen.consumer] = decided->member_state == "unsubscribed";
            if (decided->assignment) on_assignment(seen, *decided->assignment);
        } else if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            on_call(seen, *called);
        } else if (const auto* returned = std::get_if<observed::poll_returned>(&seen.what)) {
            for (const auto& piece : returned->pieces) on_piece(seen, piece);
        } else if (const auto* slot = std::get_if<observed::slot_updated>(&seen.what)) {
            auto& at = places_[seen.consumer][slot->log];
            if (slot->assigned && at.era < slot->era) begin(at, slot->era, slot->slot, by_hand_[seen.consumer]);
            at.is_over = !slot->assigned;
        } else {
            places_.forget(seen.consumer);
            by_hand_.forget(seen.consumer);
        }
    }

private:
    struct place {
        core::boundary::incarnation era{0};
        core::boundary::slot_id slot;
        processed_run processed;  // everything visible below its end is processed
        std::int64_t reached_before = -1;  // in the incarnation before this one, of the same assignment
        bool is_over = false;  // given up; what was processed may still be committed
        std::set<std::int64_t> named;
    };

    // Who assigns by hand owns what it reads: what it has left may be committed while it reads there again.
    static void begin(place& at, core::boundary::incarnation era, core::boundary::slot_id slot, bool by_hand) {
        const bool goes_on = by_hand || (at.slot == slot && !at.is_over);
        at.reached_before = goes_on ? std::max(at.processed.reached(), at.reached_before) : -1;
        at.era = era;
        at.slot = slot;
        at.processed = {};
        at.is_over = false;
    }

    // Reading starts at the first position that an incarnation has.
    void on_assignment(const observation& seen, const std::vector<observed::turn_decided::place>& assignment) {
        for (const auto& one : assignment) {
            auto& at = places_[seen.consumer][one.log];
            if (at.era < one.era) begin(at, one.era, one.slot, by_hand_[seen.consumer]);
            if (at.era == one.era && at.processed.reached() < 0 && one.position) at.processed.begin_at(*one.position);
        }
    }

    void on_piece(const observation& seen, const observed::piece& piece) {
        auto& at = places_[seen.consumer][piece.log];
        if (at.era < piece.era) begin(at, piece.era, piece.slot, by_hand_[seen.consumer]);
        if (at.era == piece.era) at.processed.on_piece(piece.from, piece.to);
    }

    void on_call(const observation& seen, const observed::call_begun& called) {
        if (called.commits_named || called.what == observed::call_kind::seek) {
            for (const auto& [log, offset] : called.offsets) places_[seen.consumer][log].named.insert(offset);
        }
    }

    void on_commit(const observation& seen, log_id log, std::int64_t offset, const truth& known) {
        const auto& at = places_[seen.consumer][log];
        if (at.named.contains(offset)) return;
        const auto* partition = known.find(log);
        if (!partition) return;
        const bool committed_only = known.reads_committed_only(seen.consumer);
        const auto own = at.processed.reached_past([&](std::int64_t from, std::int64_t to) {
            return !partition->log.first_visible(from, to, committed_only);
        });
        const auto reached = std::max(own, at.reached_before);
        if (offset <= reached) return;
        if (reached < 0) {
            complain(seen.at, seen.consumer, {log, offset}, "a commit was sent of a partition that was never read");
            return;
        }
        const auto left = partition->log.first_visible(reached, offset, committed_only);
        if (!left) return;
        complain(seen.at, seen.consumer, {log, offset},
                 fmt::format("offset {} was committed, but record {} below it was not processed: only what is below {}",
                             offset, *left, reached));
    }

    by_consumer<std::map<log_id, place>> places_;
    by_consumer<bool> by_hand_;  // no member of a group
};

}  // namespace

std::unique_ptr<checker> commits_never_exceed_what_is_processed() { return std::make_unique<committed_is_processed>(); }

}  // namespace strandline::testkit::sim::checkers
