// V2. Work is in proportion to what arrived: a turn asks managers a bounded number of times for each input, and while
// the clock stands still and nothing arrives there are at most the few turns that end the stages of a close.
#include <memory>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

// Managers, each asked at its turn and again for each of a handful of views.
constexpr std::uint32_t answers_of_a_turn = 64;
constexpr std::uint32_t answers_of_an_input = 24;
// The stages of a close end one after the other, each in a turn.
constexpr std::uint32_t turns_without_input = 7;

class bounded_work final : public checker {
public:
    bounded_work() noexcept
        : checker("V2", "work is bounded by what arrived",
                  happenings_of<observed::turn_begun, observed::turn_decided, observed::crashed,
                                observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        if (const auto* begun = std::get_if<observed::turn_begun>(&seen.what)) {
            on_begun(seen, *begun);
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            auto& state = consumers_[seen.consumer];
            const auto allowed = answers_of_a_turn + answers_of_an_input * state.count;
            if (decided->answers > allowed) {
                complain(seen.at, seen.consumer, {},
                         fmt::format("managers were asked {} times in a turn with {} inputs", decided->answers,
                                     state.count));
            }
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct memory {
        base::instant at = base::instant::min();
        std::uint32_t count = 0;
        std::uint32_t empty = 0;  // turns in a row at this instant to which nothing had come
    };

    void on_begun(const observation& seen, const observed::turn_begun& begun) {
        constexpr auto from_within = observed::bit(observed::input::again) | observed::bit(observed::input::timer);
        auto& state = consumers_[seen.consumer];
        const bool has_input = (begun.inputs & ~from_within) != 0 || seen.at != state.at;
        state.empty = has_input ? 0 : state.empty + 1;
        state.at = seen.at;
        state.count = begun.count;
        if (state.empty != turns_without_input + 1) return;
        complain(seen.at, seen.consumer, {}, "turn after turn at one instant, though nothing arrives");
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> work_is_bounded() { return std::make_unique<bounded_work>(); }

}  // namespace strandline::testkit::sim::checkers
