// V19. Stopping ends: after the last decision there is no further turn, no call waits for one, and once close has
// returned the consumer is gone without delay, with all brokers out of reach as well.
#include <memory>
#include <optional>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class stop_is_bounded final : public checker {
public:
    stop_is_bounded() noexcept
        : checker("V19", "a stopped consumer does nothing more",
                  happenings_of<observed::turn_begun, observed::turn_decided, observed::request_sent,
                                observed::call_ended, observed::consumer_started, observed::parked, observed::woken,
                                observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        auto& state = consumers_[seen.consumer];
        if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            state.is_stopped = decided->stopped;
        } else if (std::holds_alternative<observed::turn_begun>(seen.what)) {
            if (state.is_gone) {
                complain(seen.at, seen.consumer, {}, "a consumer that is gone took a turn");
            } else if (state.is_stopped) {
                complain(seen.at, seen.consumer, {}, "a consumer that had stopped took another turn");
            } else if (state.is_closed) {
                complain(seen.at, seen.consumer, {}, "a consumer whose close had returned took another turn");
            }
        } else if (std::holds_alternative<observed::parked>(seen.what)) {
            if (state.is_stopped) complain(seen.at, seen.consumer, {}, "a call waits for a consumer that has stopped");
        } else if (const auto* woken = std::get_if<observed::woken>(&seen.what)) {
            if (state.is_stopped && woken->why == observed::woken::reason::deadline) {
                complain(seen.at, seen.consumer, {}, "a call waited for a consumer that had stopped");
            }
        } else if (const auto* ended = std::get_if<observed::call_ended>(&seen.what)) {
            // In a callback, close only asks for itself.
            const bool has_closed = ended->what == observed::call_kind::close && !ended->requested_only;
            if (has_closed) state.is_closed = true;
        } else if (std::holds_alternative<observed::crashed>(seen.what) ||
                   std::holds_alternative<observed::consumer_gone>(seen.what)) {
            state.is_gone = true;
        }
    }

private:
    struct memory {
        bool is_stopped = false;
        bool is_closed = false;
        bool is_gone = false;
    };

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> stopping_ends() { return std::make_unique<stop_is_bounded>(); }

}  // namespace strandline::testkit::sim::checkers
