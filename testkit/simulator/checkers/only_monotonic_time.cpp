// R21. Only monotonic time counts: turns never go back in time, no request expires and no call times out before its
// instant, and max.poll.interval ends a member only when that long went by without a poll; whatever the wall clock
// does.
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/few.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class only_monotonic_time final : public checker {
public:
    only_monotonic_time() noexcept
        : checker(
              "R21", "wall clock jumps change nothing, and nothing happens before its time",
              happenings_of<observed::turn_begun, observed::request_sent, observed::request_ended, observed::call_begun,
                            observed::call_ended, observed::notice_given, observed::callback_begun,
                            observed::callback_ended, observed::looked, observed::crashed, observed::consumer_gone>()) {
    }

    void on(const observation& seen, const truth& known) override {
        auto& state = consumers_[seen.consumer];
        if (std::holds_alternative<observed::turn_begun>(seen.what)) {
            if (seen.at < state.last_turn) complain(seen.at, seen.consumer, {}, "a turn went back in time");
            state.last_turn = seen.at;
        } else if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            state.expires[sent->id] = sent->expires_at;
        } else if (const auto* ended = std::get_if<observed::request_ended>(&seen.what)) {
            on_request_ended(seen, state, *ended);
        } else if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            state.deadlines[called->call] = called->deadline;
            if (called->what == observed::call_kind::poll) state.called = called->call;
            if (called->what == observed::call_kind::close && !called->in_callback) state.closing = called->call;
        } else if (const auto* looked = std::get_if<observed::looked>(&seen.what)) {
            // What was called begins when the application's scheduler comes to it.
            if (looked->call != state.called) return;
            state.is_inside = true;
            state.active = seen.at;
        } else if (const auto* over = std::get_if<observed::call_ended>(&seen.what)) {
            on_call_ended(seen, state, *over);
        } else if (const auto* notice = std::get_if<observed::notice_given>(&seen.what)) {
            on_notice(seen, state, *notice, known);
        } else if (std::holds_alternative<observed::callback_begun>(seen.what) ||
                   std::holds_alternative<observed::callback_ended>(seen.what)) {
            // In it, time is the application's, whatever it calls there.
            state.in_callback = std::holds_alternative<observed::callback_begun>(seen.what);
            if (state.is_inside) state.active = seen.at;
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct memory {
        base::instant last_turn = base::instant::min();
        few<core::exchange::request_id, base::instant> expires;
        few<call_id, base::instant> deadlines;
        base::instant active = base::instant::min();  // the application was last inside a poll: no other call counts
        std::optional<call_id> called;  // the poll that is open
        bool is_inside = false;
        bool in_callback = false;
        std::optional<call_id> closing;  // the close that is open
    };

    void on_request_ended(const observation& seen, memory& state, const observed::request_ended& ended) {
        const auto expires = state.expires.take(ended.id);
        if (!expires || ended.what != observed::request_ended::how::expired) return;
        if (seen.at < *expires) {
            complain(seen.at, seen.consumer, {}, fmt::format("request {} expired before its time", ended.id.value()));
        }
    }

    void on_call_ended(const observation& seen, memory& state, const observed::call_ended& ended) {
        if (state.called == ended.call) {
            state.called.reset();
            state.is_inside = false;
            state.active = seen.at;
        }
        // A close keeps a margin for its own account, and what its callbacks call has no more time than its stage has.
        const bool closes = state.closing.has_value();
        if (state.closing == ended.call) state.closing.reset();
        const auto deadline = state.deadlines.take(ended.call);
        if (!deadline || !ended.failure || !(*ended.failure == errc::timed_out)) return;
        if (closes || ended.what == observed::call_kind::close || seen.at >= *deadline) return;
        complain(seen.at, seen.consumer, {}, fmt::format("call {} timed out before its deadline", ended.call.value()));
    }

    void on_notice(const observation& seen, const memory& state, const observed::notice_given& notice,
                   const truth& known) {
        const auto* settings = known.settings(seen.consumer);
        if (!settings || !notice.reason || !(*notice.reason == errc::max_poll_exceeded)) return;
        const bool inside = state.is_inside && !state.in_callback;
        if (!inside && seen.at - state.active >= settings->max_poll_interval) return;
        complain(seen.at, seen.consumer, {},
                 inside ? "max.poll.interval ended a member whose application was inside poll"
                        : "max.poll.interval ended a member whose application had polled within it");
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> only_monotonic_time_counts() { return std::make_unique<only_monotonic_time>(); }

}  // namespace strandline::testkit::sim::checkers
