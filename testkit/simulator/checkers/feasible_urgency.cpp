// V1. Nothing published waits for an instant that has come: every wait lies ahead, the reactor sleeps until the
// earliest of them and no shorter, and "at once" is only said when something was put out.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class feasible_urgency final : public checker {
public:
    feasible_urgency() noexcept
        : checker("V1", "whatever is waited for lies ahead", happenings_of<observed::turn_decided>()) {}

    void on(const observation& seen, const truth&) override {
        const auto& decided = std::get<observed::turn_decided>(seen.what);
        auto earliest = base::never;
        for (const auto& wait : *decided.waits) {
            earliest = std::min(earliest, wait.inputs.wake_at());
            if (wait.inputs.wake_at() > seen.at) continue;
            complain(
                seen.at, seen.consumer, {},
                fmt::format("manager {} waits for an instant that has come, reason {}", wait.manager, wait.why.code));
        }
        if (decided.park_until != earliest) {
            complain(seen.at, seen.consumer, {}, "the reactor sleeps until another instant than the earliest awaited");
        }
        if (decided.turn_again && decided.progresses == 0) {
            complain(seen.at, seen.consumer, {}, "another turn was asked for at once, though nothing was put out");
        }
    }
};

}  // namespace

std::unique_ptr<checker> waits_lie_ahead() { return std::make_unique<feasible_urgency>(); }

}  // namespace strandline::testkit::sim::checkers
