// V6. The application's way to the reactor is bounded and so is what it costs: turns that only the application causes
// are in proportion to its calls, its callbacks and the fetches it was given; draining what is buffered costs next to
// none.
#include <memory>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

constexpr std::uint64_t turns_to_spare = 32;

class bounded_and_conserved final : public checker {
public:
    bounded_and_conserved() noexcept
        : checker("V6", "the application costs the reactor no more turns than it asks for, and no buffer is lost",
                  happenings_of<observed::turn_begun, observed::call_begun, observed::callback_begun,
                                observed::fetch_delivered, observed::woken, observed::slot_updated,
                                observed::turn_decided, observed::request_ended, observed::processed, observed::crashed,
                                observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        auto& state = consumers_[seen.consumer];
        if (const auto* begun = std::get_if<observed::turn_begun>(&seen.what)) {
            state.is_of_application = is_of_application(*begun);
        } else if (std::holds_alternative<observed::request_ended>(seen.what)) {
            // What a connection had read lay with it: the turn was the network's.
            state.is_of_application = false;
        } else if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            // A poll costs a turn only while the decision says that one is wanted.
            const bool poll_costs = state.poll_wanted || (state.progress_wanted && state.has_progress);
            if (called->what != observed::call_kind::poll || poll_costs) state.paid_for += 2;
            if (called->what == observed::call_kind::poll) state.has_progress = false;
        } else if (std::holds_alternative<observed::processed>(seen.what)) {
            state.has_progress = true;
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            state.poll_wanted = decided->checkpoint_wanted;
            state.progress_wanted = decided->progress_wanted;
            if (state.is_of_application) on_turn(seen, state);
        } else if (std::holds_alternative<observed::crashed>(seen.what) ||
                   std::holds_alternative<observed::consumer_gone>(seen.what)) {
            consumers_.forget(seen.consumer);
        } else {
            // A callback is answered, a fetch is drained, a fence is met: a turn each, at most two.
            state.paid_for += 2;
        }
    }

private:
    struct memory {
        std::uint64_t paid_for = turns_to_spare;
        std::uint64_t taken = 0;
        bool poll_wanted = true;
        bool is_of_application = false;  // the turn that is under way
        bool progress_wanted = false;
        bool has_progress = false;
        bool told = false;
    };

    static bool is_of_application(const observed::turn_begun& begun) {
        using enum observed::input;
        constexpr auto by_application = observed::bit(command) | observed::bit(checkpoint) | observed::bit(fence) |
                                        observed::bit(drained) | observed::bit(space);
        return begun.inputs != 0 && (begun.inputs & ~by_application) == 0;
    }

    void on_turn(const observation& seen, memory& state) {
        if (++state.taken <= state.paid_for || std::exchange(state.told, true)) return;
        complain(seen.at, seen.consumer, {},
                 fmt::format("the application alone has caused {} turns, though what it did accounts for {}",
                             state.taken, state.paid_for));
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> the_application_costs_few_turns() { return std::make_unique<bounded_and_conserved>(); }

}  // namespace strandline::testkit::sim::checkers
