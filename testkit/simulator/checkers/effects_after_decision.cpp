// P4. No request, completion, notice or wake-up is to be seen before the decision of its own turn: whoever looks at the
// snapshot when one of them happens sees that decision and no older one.
#include <memory>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class effects_after_decision final : public checker {
public:
    effects_after_decision() noexcept
        : checker("P4", "nothing of a turn is visible before its decision",
                  happenings_of<observed::effect_seen, observed::turn_begun, observed::turn_decided, observed::crashed,
                                observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        auto& state = consumers_[seen.consumer];
        if (std::holds_alternative<observed::turn_begun>(seen.what)) {
            state.is_deciding = true;
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            state.is_deciding = false;
            state.version = decided->version;
        } else if (const auto* effect = std::get_if<observed::effect_seen>(&seen.what)) {
            on_effect(seen, state, *effect);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct memory {
        bool is_deciding = false;
        std::uint64_t version = 0;
    };

    void on_effect(const observation& seen, const memory& state, const observed::effect_seen& effect) {
        const bool is_wake = effect.what == observed::effect_kind::wake;
        // The application wakes itself as well: a wake-up, a closed gate.
        if (state.is_deciding && !is_wake) {
            complain(seen.at, seen.consumer, {}, "something was sent before its turn was decided");
        }
        if (effect.visible_version < state.version) {
            complain(seen.at, seen.consumer, {},
                     fmt::format("{} while version {} was to be seen, and not yet version {}",
                                 is_wake ? "the application was woken" : "something was sent", effect.visible_version,
                                 state.version));
        }
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> effects_follow_their_decision() { return std::make_unique<effects_after_decision>(); }

}  // namespace strandline::testkit::sim::checkers
