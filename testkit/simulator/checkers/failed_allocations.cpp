// R23. An allocation that fails in a consumer takes that consumer down and nothing else: every call that waits ends
// with an error at once, every later one too, and the application can close it and make another.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

// For the application to come to it; callbacks that run take their own time.
constexpr base::duration at_once = std::chrono::milliseconds(10);

class failed_allocations final : public checker {
public:
    failed_allocations() noexcept
        : checker("R23", "after a failed allocation every call fails at once, and the program goes on",
                  happenings_of<observed::reactor_failed, observed::call_begun, observed::call_ended,
                                observed::callback_begun, observed::callback_ended, observed::turn_decided,
                                observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        auto& state = consumers_[seen.consumer];
        if (known.may_stand_still(seen.at)) state.excused_until = seen.at;
        if (const auto* failed = std::get_if<observed::reactor_failed>(&seen.what)) {
            state.failed_at = seen.at;
            if (!failed->out_of_memory) complain(seen.at, seen.consumer, {}, "the reactor failed: " + failed->why);
        } else if (const auto* begun = std::get_if<observed::call_begun>(&seen.what)) {
            state.open.emplace(begun->call, seen.at);
        } else if (const auto* ended = std::get_if<observed::call_ended>(&seen.what)) {
            const auto open = state.open.extract(ended->call);
            if (!open.empty() && is_late(seen.at, state, open.mapped())) complain_late(seen.at, seen.consumer, state);
        } else if (std::holds_alternative<observed::callback_begun>(seen.what)) {
            ++state.callbacks;
        } else if (std::holds_alternative<observed::callback_ended>(seen.what)) {
            --state.callbacks;
            state.excused_until = seen.at;
        } else if (std::holds_alternative<observed::turn_decided>(seen.what)) {
            if (state.failed_at) complain(seen.at, seen.consumer, {}, "a reactor that has failed turns again");
        } else {
            consumers_.forget(seen.consumer);
        }
    }

    void at_end(base::instant now, const truth&) override {
        for (const auto& [who, state] : consumers_) {
            for (const auto& [call, begun] : state.open) {
                if (state.callbacks == 0 && is_late(now, state, begun)) complain_late(now, who, state);
            }
        }
    }

private:
    struct memory {
        std::optional<base::instant> failed_at;
        std::map<call_id, base::instant> open;  // since when
        int callbacks = 0;
        base::instant excused_until = base::instant::min();
    };

    static bool is_late(base::instant now, const memory& state, base::instant begun) {
        return state.failed_at && now > std::max({*state.failed_at, begun, state.excused_until}) + at_once;
    }
    void complain_late(base::instant now, consumer_id who, const memory& state) {
        complain(now, who, {},
                 fmt::format("a call has not ended at once, though the reactor failed {} ms ago",
                             std::chrono::duration_cast<std::chrono::milliseconds>(now - *state.failed_at).count()));
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> failed_allocations_are_survived() { return std::make_unique<failed_allocations>(); }

}  // namespace strandline::testkit::sim::checkers
