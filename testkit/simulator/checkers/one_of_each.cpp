// V6, of what there is one only: between two turns the reactor is asked for one once, and once more for space that its
// decision awaits; one poll waits; a slot has one owner, and is given up before it has another one.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class one_of_each final : public checker {
public:
    one_of_each() noexcept
        : checker("V6", "one turn is asked for at a time, one poll waits, and a slot has one owner",
                  happenings_of<observed::turn_asked, observed::turn_begun, observed::turn_decided,
                                observed::call_begun, observed::call_ended, observed::parked, observed::woken,
                                observed::slot_updated, observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        auto& state = consumers_[seen.consumer];
        if (std::holds_alternative<observed::turn_asked>(seen.what)) {
            on_asked(seen, state);
        } else if (std::holds_alternative<observed::turn_begun>(seen.what)) {
            state.asked = 0;
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            state.awaits_space = decided->awaits_space;
            if (decided->assignment) on_assignment(seen, *decided->assignment);
        } else if (const auto* begun = std::get_if<observed::call_begun>(&seen.what)) {
            if (begun->what == observed::call_kind::poll) state.poll = begun->call;
        } else if (const auto* ended = std::get_if<observed::call_ended>(&seen.what)) {
            if (state.waiting == ended->call) state.waiting.reset();
        } else if (const auto* parked = std::get_if<observed::parked>(&seen.what)) {
            on_parked(seen, state, parked->call);
        } else if (const auto* woken = std::get_if<observed::woken>(&seen.what)) {
            if (state.waiting == woken->call) state.waiting.reset();
        } else if (const auto* updated = std::get_if<observed::slot_updated>(&seen.what)) {
            on_slot(seen, known, state, *updated);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct memory {
        int asked = 0;  // since the last turn began
        bool awaits_space = false;
        std::optional<call_id> poll;     // the newest
        std::optional<call_id> waiting;  // the poll that does
        std::map<core::boundary::slot_id, log_id> owners;
    };

    void on_asked(const observation& seen, memory& state) {
        if (++state.asked <= (state.awaits_space ? 2 : 1)) return;
        complain(seen.at, seen.consumer, {},
                 fmt::format("the reactor was asked for a turn {} times before it turned", state.asked));
    }

    void on_parked(const observation& seen, memory& state, call_id who) {
        if (who != state.poll) return;
        if (state.waiting) {
            complain(seen.at, seen.consumer, {}, "a poll began to wait while one was waiting already");
        }
        state.waiting = who;
    }

    void on_slot(const observation& seen, const truth& known, memory& state, const observed::slot_updated& update) {
        if (!update.assigned) {
            if (state.owners.erase(update.slot) > 0) return;
            return complain(seen.at, seen.consumer, {update.log},
                            fmt::format("slot {} was given up, which was nobody's", update.slot.value()));
        }
        const auto [owner, is_new] = state.owners.emplace(update.slot, update.log);
        const auto before = std::exchange(owner->second, update.log);
        if (is_new || is_same_partition(known, before, update.log)) return;
        complain(seen.at, seen.consumer, {update.log},
                 fmt::format("slot {} was given to another partition before it was given up", update.slot.value()));
    }

    // By name: a topic that is made anew under it keeps the slots of those who assigned it by hand.
    static bool is_same_partition(const truth& known, log_id one, log_id other) {
        if (one == other || one == no_log || other == no_log) return true;
        const auto* a = known.find(one);
        const auto* b = known.find(other);
        return a && b && a->topic == b->topic && a->index == b->index;
    }

    void on_assignment(const observation& seen, const std::vector<observed::turn_decided::place>& places) {
        std::set<core::boundary::slot_id> slots;
        for (const auto& one : places) {
            if (slots.insert(one.slot).second) continue;
            complain(seen.at, seen.consumer, {one.log},
                     fmt::format("slot {} is shown as that of two partitions", one.slot.value()));
        }
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> there_is_one_of_each() { return std::make_unique<one_of_each>(); }

}  // namespace strandline::testkit::sim::checkers
