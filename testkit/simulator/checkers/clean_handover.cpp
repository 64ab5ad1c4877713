// R3. Who takes a partition over starts where the group has committed: never below it, so that a clean handover gives
// nothing twice, and never above it, so that it loses nothing. And a partition that a member gives up in peace, with
// automatic commit, is given up with everything committed that was processed; assigned by hand, nobody waits for it,
// and the commit is only on its way then.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/reading_window.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

// How long the world must have been at peace for a handover to count as clean.
constexpr base::duration settled = std::chrono::seconds(120);

class clean_handover final : public checker {
public:
    clean_handover() noexcept
        : checker(
              "R3", "a clean handover gives no record twice and leaves none out",
              happenings_of<observed::slot_updated, observed::turn_decided, observed::poll_returned,
                            observed::offset_stored, observed::offsets_expired, observed::call_begun,
                            observed::processed, observed::truncated, observed::log_start_moved, observed::notice_given,
                            observed::iteration_failed, observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        if (const auto* slot = std::get_if<observed::slot_updated>(&seen.what)) {
            on_slot(seen, *slot, known);
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            on_decided(seen, *decided, known);
        } else if (const auto* returned = std::get_if<observed::poll_returned>(&seen.what)) {
            for (const auto& piece : returned->pieces) on_piece(seen, piece, known);
        } else if (const auto* stored = std::get_if<observed::offset_stored>(&seen.what)) {
            on_stored(*stored, known);
        } else if (const auto* expired = std::get_if<observed::offsets_expired>(&seen.what)) {
            on_expired(expired->group, known);
        } else if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            on_call(seen, *called);
        } else if (const auto* processed = std::get_if<observed::processed>(&seen.what)) {
            auto& at = places_[seen.consumer][processed->log];
            // What is read on behind the fence is read in vain.
            if (processed->era == at.era && !at.fenced) at.processed.on_processed(processed->next);
        } else if (const auto* cut = std::get_if<observed::truncated>(&seen.what)) {
            excuse(cut->log);
        } else if (const auto* start = std::get_if<observed::log_start_moved>(&seen.what)) {
            excuse(start->log);
        } else if (const auto* notice = std::get_if<observed::notice_given>(&seen.what)) {
            on_notice(places_[seen.consumer], *notice);
        } else if (const auto* failed = std::get_if<observed::iteration_failed>(&seen.what)) {
            excuse(seen.consumer, failed->log);
        } else {
            places_.forget(seen.consumer);
        }
    }

private:
    struct commit {
        std::int64_t offset = 0;
        std::int32_t leader_epoch = -1;
        std::uint32_t truncations = 0;  // of the log until then
    };
    struct place {
        core::boundary::incarnation era{0};
        base::instant since{};
        bool assigned = false;
        bool has_read = false;
        bool is_excused = false;  // sought, cut, or moved by the application
        bool is_sought = false;  // before it was known which log this is
        bool was_lost = false;
        bool may_begin_anywhere = false;  // nothing was committed when it was assigned: the reset policy decides
        bool fenced = false;
        processed_run processed;
        std::vector<commit> committed_meanwhile;  // and when it was assigned
    };

    static bool is_of(consumer_id who, const std::string& group, const truth& known) {
        const auto* settings = known.settings(who);
        return settings && settings->group_id == group;
    }

    void on_stored(const observed::offset_stored& stored, const truth& known) {
        const auto* partition = known.find(stored.log);
        const commit made{stored.offset, stored.leader_epoch, partition ? partition->log.truncations() : 0};
        newest_.insert_or_assign({stored.group, stored.log}, made);
        for (auto& [who, places] : places_) {
            const auto at = places.find(stored.log);
            if (at == places.end() || !at->second.assigned || at->second.has_read) continue;
            if (is_of(who, stored.group, known)) at->second.committed_meanwhile.push_back(made);
        }
    }

    // Who has not begun to read may come too late to see what was committed; who has need not commit the same again.
    void on_expired(const std::string& group, const truth& known) {
        std::erase_if(newest_, [&](const auto& one) { return one.first.first == group; });
        for (auto& [who, places] : places_) {
            if (!is_of(who, group, known)) continue;
            for (auto& [log, at] : places) {
                at.may_begin_anywhere |= at.assigned && !at.has_read;
                at.is_excused |= at.has_read;
            }
        }
    }

    // Whether a reader that finds this commit may begin there.
    static bool may_begin(std::int64_t from, const commit& at, const true_log& log, bool committed_only) {
        if (at.offset == from) return true;
        // Stretches without records are passed over unseen.
        if (at.offset < from && !log.first_visible(at.offset, from, committed_only)) return true;
        // An offset outside the log is no place to start from: the reset policy is.
        if (at.offset < log.start() || at.offset > log.end()) return true;
        // Nor is one that the log was cut below since, though it has grown beyond it again; or before, when what was
        // committed had been read by then.
        return log.cut_since(at.truncations) < at.offset ||
               (at.leader_epoch >= 0 && log.end_of_epoch(at.leader_epoch) < at.offset);
    }

    void excuse(log_id log) {
        for (auto& [who, places] : places_) {
            const auto at = places.find(log);
            if (at != places.end()) at->second.is_excused = true;
        }
    }
    void excuse(consumer_id who, log_id log) { places_[who][log].is_excused = true; }

    void on_call(const observation& seen, const observed::call_begun& called) {
        using enum observed::call_kind;
        if (called.what == assign) by_hand_.insert(seen.consumer);
        if (called.what == subscribe) by_hand_.erase(seen.consumer);
        if (called.what != seek && called.what != seek_to && !called.commits_named) return;
        for (const auto log : called.which) excuse(seen.consumer, log);
        for (const auto& [log, offset] : called.offsets) excuse(seen.consumer, log);
        if (called.commits_named) return;
        for (const auto log : called.which) places_[seen.consumer][log].is_sought = true;
    }

    // Without a listener nobody is told that a member lost its partitions when it did not poll for too long.
    static void on_notice(std::map<log_id, place>& places, const observed::notice_given& notice) {
        if (notice.what == observed::notice_given::kind::lost) {
            for (const auto log : notice.which) places[log].was_lost = true;
        } else if (notice.reason && *notice.reason == errc::max_poll_exceeded) {
            for (auto& [log, at] : places) at.was_lost = true;
        }
    }

    // No slot tells that it stands for another log from here on: what was assigned by hand before it existed, or was
    // made anew.
    void on_decided(const observation& seen, const observed::turn_decided& decided, const truth& known) {
        if (!decided.assignment) return;
        auto& places = places_[seen.consumer];
        for (const auto& one : *decided.assignment) {
            const auto at = places.find(one.log);
            if (at != places.end() && at->second.assigned) continue;
            on_slot(seen, {one.log, one.slot, one.era, true, one.paused, one.fenced, false}, known);
        }
    }

    void on_slot(const observation& seen, const observed::slot_updated& slot, const truth& known) {
        auto& at = places_[seen.consumer][slot.log];
        if (!slot.assigned) {
            if (at.assigned) on_given_up(seen, slot.log, at, known);
            at = {};
            return;
        }
        if (!at.assigned) {
            const bool is_sought = at.is_sought;
            at = {};
            at.assigned = true;
            at.is_excused = is_sought;
            at.since = seen.at;
            if (const auto* settings = known.settings(seen.consumer); settings && settings->group_id) {
                const auto committed = newest_.find({*settings->group_id, slot.log});
                if (committed != newest_.end()) {
                    at.committed_meanwhile.push_back(committed->second);
                } else {
                    at.may_begin_anywhere = true;
                }
            }
        }
        if (at.era != slot.era) at.processed = {};
        at.era = slot.era;
        at.fenced = slot.fenced;
    }

    // Only of a group: without one, or by hand, there is nobody to hand over from.
    void on_piece(const observation& seen, const observed::piece& piece, const truth& known) {
        auto& at = places_[seen.consumer][piece.log];
        if (at.era == piece.era) at.processed.on_piece(piece.from, piece.to);
        if (!at.assigned || std::exchange(at.has_read, true) || at.is_excused) return;
        const auto* settings = known.settings(seen.consumer);
        if (!settings || !settings->group_id || at.may_begin_anywhere || at.committed_meanwhile.empty()) return;
        const auto* partition = known.find(piece.log);
        if (!partition) return;
        const bool committed_only = known.reads_committed_only(seen.consumer);
        const auto commits = std::exchange(at.committed_meanwhile, {});
        if (std::any_of(commits.begin(), commits.end(), [&](const commit& one) {
                return may_begin(piece.from, one, partition->log, committed_only);
            })) {
            return;
        }
        complain(seen.at, seen.consumer, {piece.log, piece.from},
                 fmt::format("reading began at {}, but group {} has committed {}", piece.from, *settings->group_id,
                             commits.back().offset));
    }

    void on_given_up(const observation& seen, log_id log, const place& at, const truth& known) {
        const auto* settings = known.settings(seen.consumer);
        if (!settings || !settings->group_id || !settings->enable_auto_commit) return;
        if (by_hand_.contains(seen.consumer)) return;
        const auto processed = at.processed.reached();
        if (at.was_lost || at.is_excused || processed < 0) return;
        if (known.last_trouble() > seen.at - settled || !known.faults().empty()) return;
        const auto* partition = known.find(log);
        if (!partition || partition->deleted) return;
        const auto committed = known.committed(*settings->group_id, log).value_or(-1);
        if (committed >= processed) return;
        const auto left = partition->log.first_visible(std::max<std::int64_t>(committed, 0), processed,
                                                       known.reads_committed_only(seen.consumer));
        if (!left) return;
        complain(seen.at, seen.consumer, {log, left},
                 fmt::format("given up in peace: processed up to {}, but committed only {}", processed, committed));
    }

    by_consumer<std::map<log_id, place>> places_;
    std::set<consumer_id> by_hand_;
    std::map<std::pair<std::string, log_id>, commit> newest_;
};

}  // namespace

std::unique_ptr<checker> handovers_are_clean() { return std::make_unique<clean_handover>(); }

}  // namespace strandline::testkit::sim::checkers
