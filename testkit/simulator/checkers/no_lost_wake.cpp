// V5. What becomes visible to a poll that waits ends its wait at the same instant: data it may have, a callback, an
// error. The clock never moves on over a sleeper who has something to find.
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class no_lost_wake final : public checker {
public:
    no_lost_wake() noexcept
        : checker("V5", "no wake is lost",
                  happenings_of<observed::parked, observed::woken, observed::call_ended, observed::call_begun,
                                observed::slot_updated, observed::fetch_delivered, observed::notice_given,
                                observed::wakeup_called, observed::turn_begun, observed::effect_seen, observed::crashed,
                                observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        auto& state = consumers_[seen.consumer];
        if (known.may_stand_still(seen.at)) state.owed.reset();
        look_back(seen, state);
        if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            if (called->what == observed::call_kind::poll) state.poll = called->call;
        } else if (const auto* parked = std::get_if<observed::parked>(&seen.what)) {
            // Calls within its callbacks wait for their own end only.
            state.is_parked = parked->call == state.poll;
        } else if (std::holds_alternative<observed::woken>(seen.what) ||
                   std::holds_alternative<observed::call_ended>(seen.what)) {
            state.is_parked = false;
            state.owed.reset();
        } else if (const auto* effect = std::get_if<observed::effect_seen>(&seen.what)) {
            // Its waiter resumed; when the application runs is its scheduler's business, and it will look at all there
            // is.
            if (effect->what != observed::effect_kind::wake) return;
            state.is_parked = false;
            state.owed.reset();
        } else if (const auto* slot = std::get_if<observed::slot_updated>(&seen.what)) {
            state.closed[slot->slot] = !slot->assigned || slot->paused || slot->fenced || slot->callback_pending;
        } else if (const auto* data = std::get_if<observed::fetch_delivered>(&seen.what)) {
            if (!state.closed[data->slot]) owe(seen, state, "records");
        } else if (std::holds_alternative<observed::notice_given>(seen.what)) {
            owe(seen, state, "a notice");
        } else if (std::holds_alternative<observed::wakeup_called>(seen.what)) {
            owe(seen, state, "a wake-up by the application");
        } else if (!std::holds_alternative<observed::turn_begun>(seen.what)) {
            consumers_.forget(seen.consumer);
        }
    }

    void at_end(base::instant now, const truth&) override {
        for (auto& [who, state] : consumers_) {
            if (state.is_parked && state.owed && state.owed->at < now) tell(now, who, state);
        }
    }

private:
    struct debt {
        base::instant at;
        const char* what;
    };
    struct memory {
        call_id poll{0};
        bool is_parked = false;
        std::optional<debt> owed;
        std::map<core::boundary::slot_id, bool> closed;
    };

    static void owe(const observation& seen, memory& state, const char* what) {
        if (state.is_parked && !state.owed) state.owed = debt{seen.at, what};
    }

    void look_back(const observation& seen, memory& state) {
        if (state.is_parked && state.owed && state.owed->at < seen.at) tell(seen.at, seen.consumer, state);
    }

    void tell(base::instant now, consumer_id who, memory& state) {
        complain(now, who, {},
                 fmt::format("{} became visible to a waiting poll {} us ago, and it still sleeps", state.owed->what,
                             std::chrono::duration_cast<std::chrono::microseconds>(now - state.owed->at).count()));
        state.owed.reset();
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> no_wake_is_lost() { return std::make_unique<no_lost_wake>(); }

}  // namespace strandline::testkit::sim::checkers
