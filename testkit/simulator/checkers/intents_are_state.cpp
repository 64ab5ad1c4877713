// V11. What the application wants stays wanted: once pause has returned, every decision shows the partition paused
// until it is resumed or given up; once seek has returned, the next records come from where it said.
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class intents_are_state final : public checker {
public:
    intents_are_state() noexcept
        : checker("V11", "pause and seek are state, and no later message drops them",
                  happenings_of<observed::call_begun, observed::call_ended, observed::turn_decided,
                                observed::slot_updated, observed::poll_returned, observed::truncated,
                                observed::log_start_moved, observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            consumers_[seen.consumer].open.emplace(called->call, *called);
        } else if (const auto* ended = std::get_if<observed::call_ended>(&seen.what)) {
            on_ended(seen, *ended);
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            if (decided->assignment) on_assignment(seen, *decided->assignment);
        } else if (const auto* slot = std::get_if<observed::slot_updated>(&seen.what)) {
            on_slot(seen.consumer, *slot);
        } else if (const auto* returned = std::get_if<observed::poll_returned>(&seen.what)) {
            for (const auto& piece : returned->pieces) on_piece(seen, piece, known);
        } else if (const auto* cut = std::get_if<observed::truncated>(&seen.what)) {
            for (auto& [who, state] : consumers_) state.sought.erase(cut->log);
        } else if (const auto* start = std::get_if<observed::log_start_moved>(&seen.what)) {
            for (auto& [who, state] : consumers_) state.sought.erase(start->log);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct memory {
        std::map<call_id, observed::call_begun> open;
        std::set<log_id> paused;
        std::map<log_id, std::int64_t> sought;
        std::map<core::boundary::slot_id, log_id> in_slot;
    };

    void on_slot(consumer_id who, const observed::slot_updated& slot) {
        if (!slot.assigned) {
            consumers_[who].in_slot.erase(slot.slot);
            return forget(who, slot.log);
        }
        const auto [held, is_new] = consumers_[who].in_slot.try_emplace(slot.slot, slot.log);
        if (is_new || held->second == slot.log) return;
        // A topic was made anew, and the consumer hears of it now: what it sought by that name was the old one.
        held->second = slot.log;
        forget(who, slot.log);
    }

    void forget(consumer_id who, log_id log) {
        consumers_[who].paused.erase(log);
        consumers_[who].sought.erase(log);
    }

    void on_ended(const observation& seen, const observed::call_ended& ended) {
        using enum observed::call_kind;
        auto& state = consumers_[seen.consumer];
        auto begun = state.open.extract(ended.call);
        if (begun.empty()) return;
        const auto& call = begun.mapped();
        // What failed may have taken effect or not.
        for (const auto log : call.which) {
            if (call.what == pause && !ended.failure) state.paused.insert(log);
            if (call.what == resume || (call.what == pause && ended.failure)) state.paused.erase(log);
            if (call.what == seek_to) state.sought.erase(log);
        }
        if (call.what == seek_to && call.which.empty()) state.sought.clear();
        if (call.what != seek) return;
        for (const auto& [log, offset] : call.offsets) {
            if (ended.failure) {
                state.sought.erase(log);
            } else {
                state.sought.insert_or_assign(log, offset);
            }
        }
    }

    void on_assignment(const observation& seen, const std::vector<observed::turn_decided::place>& assignment) {
        auto& state = consumers_[seen.consumer];
        // A call that is under way decides for itself.
        for (const auto& [call, begun] : state.open) {
            if (begun.what != observed::call_kind::poll && begun.what != observed::call_kind::commit) return;
        }
        for (const auto& place : assignment) {
            if (place.paused || !state.paused.contains(place.log)) continue;
            complain(seen.at, seen.consumer, {place.log, {}}, "it was paused, nobody resumed it, and it is not paused");
            state.paused.erase(place.log);
        }
    }

    void on_piece(const observation& seen, const observed::piece& piece, const truth& known) {
        // The error with which a partition stands still.
        if (piece.from == piece.to) return;
        auto& state = consumers_[seen.consumer];
        auto sought = state.sought.extract(piece.log);
        if (sought.empty() || sought.mapped() == piece.from) return;
        const auto* partition = known.find(piece.log);
        // There is no such offset: the reset policy decides.
        if (partition && (sought.mapped() < partition->log.start() || sought.mapped() > partition->log.end())) return;
        // Stretches without records are passed over unseen.
        if (partition && sought.mapped() < piece.from &&
            !partition->log.first_visible(sought.mapped(), piece.from, known.reads_committed_only(seen.consumer))) {
            return;
        }
        complain(seen.at, seen.consumer, {piece.log, piece.from},
                 fmt::format("it was sought to {}, and reading went on at {}", sought.mapped(), piece.from));
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> intents_stay() { return std::make_unique<intents_are_state>(); }

}  // namespace strandline::testkit::sim::checkers
