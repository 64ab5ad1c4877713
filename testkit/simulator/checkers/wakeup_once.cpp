// V16. A wake-up by the application ends one poll, this one or the next, and no other call; several before one poll are
// one; a poll that it ends returns no records; nothing else ends a poll with that error.
#include <memory>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/few.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class wakeup_once final : public checker {
public:
    wakeup_once() noexcept
        : checker("V16", "a wake-up ends exactly one poll, and never one that has records",
                  happenings_of<observed::wakeup_called, observed::call_begun, observed::call_ended,
                                observed::poll_returned, observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        auto& state = consumers_[seen.consumer];
        if (std::holds_alternative<observed::wakeup_called>(seen.what)) {
            state.is_pending = true;
        } else if (const auto* begun = std::get_if<observed::call_begun>(&seen.what)) {
            if (begun->what == observed::call_kind::poll) state.polls[begun->call] = {state.is_pending, false};
        } else if (const auto* returned = std::get_if<observed::poll_returned>(&seen.what)) {
            state.polls[returned->call].has_records = !returned->pieces.empty();
        } else if (const auto* ended = std::get_if<observed::call_ended>(&seen.what)) {
            on_ended(seen, state, *ended);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct running_poll {
        bool began_woken = false;
        bool has_records = false;
    };
    struct memory {
        bool is_pending = false;
        few<call_id, running_poll> polls;
    };

    void on_ended(const observation& seen, memory& state, const observed::call_ended& ended) {
        const bool is_woken = ended.failure && *ended.failure == errc::woken_up;
        const bool is_poll = ended.what == observed::call_kind::poll;
        const auto poll = state.polls.take(ended.call).value_or(running_poll());
        if (is_woken && !is_poll) {
            complain(seen.at, seen.consumer, {}, "a call that is no poll was ended by a wake-up");
        } else if (is_woken && !state.is_pending) {
            complain(seen.at, seen.consumer, {}, "a poll was ended by a wake-up that nobody had asked for");
        } else if (is_woken && poll.has_records) {
            complain(seen.at, seen.consumer, {}, "a poll that had records to return was ended by a wake-up");
        } else if (is_poll && !is_woken && poll.began_woken && !ended.failure) {
            complain(seen.at, seen.consumer, {}, "a poll ended well, though a wake-up was waiting for it");
        }
        if (is_woken) state.is_pending = false;
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> wakeups_end_one_poll() { return std::make_unique<wakeup_once>(); }

}  // namespace strandline::testkit::sim::checkers
