// V9. A revocation goes in order: fence, commit of what is processed, revoked-callback, acknowledgement. An assignment
// likewise: its callback is over before anything of it is handed out.
#include <map>
#include <memory>
#include <set>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

using callback = observed::notice_given::kind;

class ownership_fence final : public checker {
public:
    ownership_fence() noexcept
        : checker("V9", "fence, then commit, then callback, then acknowledge; and a callback before any record",
                  happenings_of<observed::slot_updated, observed::poll_returned, observed::callback_begun,
                                observed::callback_ended, observed::request_sent, observed::call_begun,
                                observed::notice_given, observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        if (const auto* slot = std::get_if<observed::slot_updated>(&seen.what)) {
            on_slot(seen, *slot, known);
        } else if (const auto* returned = std::get_if<observed::poll_returned>(&seen.what)) {
            for (const auto& piece : returned->pieces) {
                if (!consumers_[seen.consumer].places[piece.log].awaits_callback) continue;
                complain(seen.at, seen.consumer, {piece.log, piece.from},
                         "records were handed out before the assigned-callback of their partition was over");
            }
        } else if (const auto* begun = std::get_if<observed::callback_begun>(&seen.what)) {
            on_begun(seen, *begun);
        } else if (std::holds_alternative<observed::callback_ended>(seen.what)) {
            consumers_[seen.consumer].being_revoked.clear();
        } else if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            using enum observed::call_kind;
            // These give everything up by a deadline of their own, callback or not, and what is called in that callback
            // is a part of them.
            const bool leaves = called->what == close || called->what == unsubscribe || called->what == assign;
            if (leaves || !called->in_callback) consumers_[seen.consumer].is_leaving = leaves;
        } else if (const auto* notice = std::get_if<observed::notice_given>(&seen.what)) {
            // A member loses everything at once, and that waits for nobody. The notice names only what no callback was
            // called for yet.
            if (notice->what == callback::lost) consumers_[seen.consumer].being_revoked.clear();
        } else if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            on_request(seen, *sent, known);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct place {
        bool assigned = false;
        bool fenced = false;
        bool awaits_callback = false;
        base::instant fenced_at{};
    };
    struct memory {
        std::map<log_id, place> places;
        // The application is in its revoked-callback, and since when each is being given up.
        std::map<log_id, base::instant> being_revoked;
        bool is_leaving = false;
    };

    // A revocation may last as long as the rebalance may, from its fence on: when the application came to its callback
    // does not count.
    static bool must_wait(const observation& seen, log_id log, const memory& all, const truth& known) {
        const auto revoked = all.being_revoked.find(log);
        if (revoked == all.being_revoked.end() || all.is_leaving) return false;
        const auto* settings = known.settings(seen.consumer);
        return settings && seen.at - revoked->second < settings->max_poll_interval;
    }

    void on_slot(const observation& seen, const observed::slot_updated& slot, const truth& known) {
        auto& all = consumers_[seen.consumer];
        auto& at = all.places[slot.log];
        if (!slot.assigned && at.assigned && must_wait(seen, slot.log, all, known)) {
            complain(seen.at, seen.consumer, {slot.log, {}},
                     "the partition was given up while its revoked-callback was running");
        }
        const auto fenced_at = at.fenced && slot.fenced ? at.fenced_at : seen.at;
        at = {slot.assigned, slot.fenced, slot.assigned && slot.callback_pending, fenced_at};
    }

    void on_begun(const observation& seen, const observed::callback_begun& begun) {
        auto& all = consumers_[seen.consumer];
        if (begun.what != callback::revoked) return;
        for (const auto log : begun.which) {
            const auto& at = all.places[log];
            if (at.assigned && !at.fenced) {
                complain(seen.at, seen.consumer, {log, {}},
                         "the revoked-callback began before the partition was fenced");
            }
            all.being_revoked.insert_or_assign(log, at.fenced ? at.fenced_at : seen.at);
        }
    }

    void on_request(const observation& seen, const observed::request_sent& sent, const truth& known) {
        const auto* heartbeat = std::get_if<observed::heartbeat_content>(&sent.content);
        if (!heartbeat || !heartbeat->owned || heartbeat->member_epoch <= 0) return;
        const std::set<log_id> owned(heartbeat->owned->begin(), heartbeat->owned->end());
        const auto& all = consumers_[seen.consumer];
        for (const auto& [log, since] : all.being_revoked) {
            if (owned.contains(log) || !must_wait(seen, log, all, known)) continue;
            complain(seen.at, seen.consumer, {log, {}},
                     "a heartbeat gave the partition up while its revoked-callback was running");
        }
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> ownership_is_fenced() { return std::make_unique<ownership_fence>(); }

}  // namespace strandline::testkit::sim::checkers
