// V20. Every error belongs to one call or to the consumer, and is told once: a poll that fails with what the consumer
// has raised uses that up; nothing that was raised is told twice; and no partition's trouble outlives its assignment.
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class errors_belong final : public checker {
public:
    errors_belong() noexcept
        : checker("V20", "every error is told once, to the call or consumer it belongs to",
                  happenings_of<observed::notice_given, observed::call_ended, observed::crashed,
                                observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        auto& state = consumers_[seen.consumer];
        if (const auto* notice = std::get_if<observed::notice_given>(&seen.what)) {
            if (notice->reason) ++state.raised[notice->reason->message()];
        } else if (const auto* ended = std::get_if<observed::call_ended>(&seen.what)) {
            if (ended->failure) on_failure(seen, state, *ended);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct memory {
        std::map<std::string, int> raised;  // and not told yet
        std::map<std::string, int> told;
    };

    void on_failure(const observation& seen, memory& state, const observed::call_ended& ended) {
        const auto& message = ended.failure->message();
        const auto raised = state.raised.find(message);
        if (raised == state.raised.end()) return;  // the call's own
        if (ended.what != observed::call_kind::poll && ended.what != observed::call_kind::close) {
            // The same words may be the call's own failure, as with a group that refuses this member for good.
            if (!ended.failure->fatal()) {
                complain(seen.at, seen.consumer, {},
                         fmt::format("a call that is no poll failed with what the consumer had raised: {}", message));
            }
            return;
        }
        if (--raised->second >= 0 || ended.failure->fatal()) return;
        complain(seen.at, seen.consumer, {},
                 fmt::format("an error was told more often than it was raised: {}", message));
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> errors_are_told_once() { return std::make_unique<errors_belong>(); }

}  // namespace strandline::testkit::sim::checkers
