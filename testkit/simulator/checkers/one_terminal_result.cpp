// V13. Every call that was let in has exactly one result, by its deadline, whatever happens; no operation is completed
// twice; and when a consumer is gone no call of it is open.
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/few.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

// A caller's own timer, and what the application needs to run.
constexpr base::duration grace = std::chrono::milliseconds(100);

class one_terminal_result final : public checker {
public:
    one_terminal_result() noexcept
        : checker("V13", "every call has exactly one result, by its deadline",
                  happenings_of<observed::call_begun, observed::call_ended, observed::completion_given,
                                observed::callback_begun, observed::callback_ended, observed::turn_begun,
                                observed::reactor_failed, observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        auto& state = consumers_[seen.consumer];
        if (known.may_stand_still(seen.at)) state.excused_until = seen.at;
        if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            if (!state.open.try_emplace(called->call, called->deadline).second || called->call <= state.newest) {
                complain(seen.at, seen.consumer, {}, fmt::format("call {} began twice", called->call.value()));
            }
            state.newest = std::max(state.newest, called->call);
        } else if (const auto* ended = std::get_if<observed::call_ended>(&seen.what)) {
            on_ended(seen, state, *ended);
        } else if (const auto* given = std::get_if<observed::completion_given>(&seen.what)) {
            if (given->token == core::boundary::no_operation || state.completed.insert(given->token).second) return;
            complain(seen.at, seen.consumer, {}, fmt::format("operation {} was completed twice", given->token.value()));
        } else if (std::holds_alternative<observed::turn_begun>(seen.what)) {
            find_late(seen.at, seen.consumer, state);
        } else if (std::holds_alternative<observed::callback_begun>(seen.what)) {
            ++state.callbacks;
        } else if (std::holds_alternative<observed::callback_ended>(seen.what)) {
            --state.callbacks;
            state.callback_ended = seen.at;
        } else if (std::holds_alternative<observed::consumer_gone>(seen.what)) {
            for (const auto& [call, deadline] : state.open) {
                complain(seen.at, seen.consumer, {},
                         fmt::format("the consumer is gone, and call {} has no result", call.value()));
            }
            consumers_.forget(seen.consumer);
        } else if (std::holds_alternative<observed::crashed>(seen.what)) {
            consumers_.forget(seen.consumer);
        }
    }

    void at_end(base::instant now, const truth&) override {
        for (auto& [who, state] : consumers_) find_late(now, who, state);
    }

private:
    struct memory {
        few<call_id, base::instant> open;  // and their deadlines
        call_id newest{0};
        std::set<core::boundary::operation_token> completed;
        int callbacks = 0;  // running: the application's own time
        base::instant callback_ended = base::instant::min();
        base::instant excused_until = base::instant::min();  // the machine stood still
        std::set<call_id> told;
    };

    void on_ended(const observation& seen, memory& state, const observed::call_ended& ended) {
        const auto begun = state.open.take(ended.call);
        if (!begun) {
            complain(seen.at, seen.consumer, {},
                     fmt::format("call {} ended, though it is not open", ended.call.value()));
        } else if (is_late(seen.at, state, *begun)) {
            complain(
                seen.at, seen.consumer, {},
                fmt::format("call {} ended {} ms after its deadline", ended.call.value(), late_by(seen.at, *begun)));
        }
    }

    static std::int64_t late_by(base::instant now, base::instant deadline) {
        return std::chrono::duration_cast<std::chrono::milliseconds>(now - deadline).count();
    }

    static bool is_late(base::instant now, const memory& state, base::instant deadline) {
        if (deadline == base::never) return false;
        return now > std::max({deadline, state.callback_ended, state.excused_until}) + grace;
    }

    void find_late(base::instant now, consumer_id who, memory& state) {
        if (state.callbacks > 0) return;
        for (const auto& [call, deadline] : state.open) {
            if (!is_late(now, state, deadline) || !state.told.insert(call).second) continue;
            complain(
                now, who, {},
                fmt::format("call {} has no result, {} ms after its deadline", call.value(), late_by(now, deadline)));
        }
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> every_call_has_one_result() { return std::make_unique<one_terminal_result>(); }

}  // namespace strandline::testkit::sim::checkers
