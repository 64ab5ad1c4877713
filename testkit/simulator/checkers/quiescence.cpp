// R11. Nobody runs without need: in every state of a member the turns of a virtual second are bounded by what arrived
// in it, and over a minute by what an idle consumer or one without brokers needs. No timer comes twice at one instant.
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

// Turns that nothing but time caused, in one virtual second: heartbeats, commits, back-offs, stages of a close.
constexpr std::uint32_t timer_turns_a_second = 16;
// In one second alone, when several things begin to fail at once: each is tried again soon, and then ever less often.
constexpr std::uint32_t timer_turns_of_a_burst = 40;
// And for each further broker, and each seek, the tries of one back-off that doubles from next to nothing up to a
// second.
constexpr std::uint32_t turns_of_a_backoff = 8;
// All turns of one virtual second, for each input that arrived in it.
constexpr std::uint32_t turns_a_second = 24;
constexpr std::uint32_t turns_an_input = 3;
// Over a minute in which no broker answered: connection attempts are paced for the client as a whole.
constexpr std::uint32_t silent_minute = 300;
constexpr std::uint32_t later_silent_minute = 60;

class quiescence final : public checker {
public:
    quiescence() noexcept
        : checker("R11", "turns are bounded in every second and every state",
                  happenings_of<observed::turn_begun, observed::turn_decided, observed::request_ended,
                                observed::request_sent, observed::call_begun, observed::crashed,
                                observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        if (const auto* begun = std::get_if<observed::turn_begun>(&seen.what)) {
            on_turn(seen, *begun);
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            consumers_[seen.consumer].member_state = decided->member_state;
        } else if (const auto* ended = std::get_if<observed::request_ended>(&seen.what)) {
            if (ended->what == observed::request_ended::how::answered)
                consumers_[seen.consumer].minute.is_silent = false;
        } else if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            if (sent->broker.value() >= 0) consumers_[seen.consumer].brokers.insert(sent->broker);
        } else if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            auto& state = consumers_[seen.consumer];
            enter(seen, state);
            ++state.minute.calls;
            using enum observed::call_kind;
            if (called->what == seek || called->what == seek_to) ++state.now.seeks;
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct second {
        std::int64_t number = -1;
        std::uint32_t turns = 0;
        std::uint32_t by_timer = 0;
        std::uint32_t inputs = 0;
        std::uint32_t seeks = 0;
        bool is_busy = false;
        bool was_busy = false;  // the second before
        bool told = false;
    };
    struct minute {
        std::int64_t number = -1;
        std::uint32_t turns = 0;
        std::uint32_t calls = 0;
        std::uint32_t silent_before = 0;  // minutes in a row
        bool is_silent = true;
    };
    struct memory {
        second now;
        struct minute minute;
        base::instant last_timer = base::instant::min();
        std::string member_state;
        std::set<protocol::broker_id> brokers;  // that were ever asked something
    };

    void on_turn(const observation& seen, const observed::turn_begun& begun) {
        constexpr auto from_within = observed::bit(observed::input::again) | observed::bit(observed::input::timer);
        auto& state = consumers_[seen.consumer];
        enter(seen, state);
        const bool is_timer = (begun.inputs & observed::bit(observed::input::timer)) != 0;
        const bool is_only_timer = (begun.inputs & ~from_within) == 0;
        ++state.now.turns;
        ++state.minute.turns;
        if (is_only_timer) {
            ++state.now.by_timer;
        } else {
            state.now.inputs += begun.count;
        }
        if (is_timer && is_only_timer && state.last_timer == seen.at) {
            complain(seen.at, seen.consumer, {}, "a timer came twice at one instant");
        }
        if (is_timer) state.last_timer = seen.at;
        if (state.now.told) return;
        const auto further = static_cast<std::uint32_t>(state.brokers.empty() ? 0 : state.brokers.size() - 1);
        const auto tries = turns_of_a_backoff * (further + state.now.seeks);
        state.now.is_busy = state.now.by_timer > timer_turns_a_second + tries;
        const bool is_spinning =
            (state.now.is_busy && state.now.was_busy) || state.now.by_timer > timer_turns_of_a_burst + tries ||
            state.now.turns > turns_a_second + state.now.by_timer + turns_an_input * state.now.inputs;
        if (!is_spinning) return;
        state.now.told = true;
        complain(seen.at, seen.consumer, {},
                 fmt::format("{} turns in one second, {} of them by time alone, for {} inputs, in state {}",
                             state.now.turns, state.now.by_timer, state.now.inputs, state.member_state));
    }

    void enter(const observation& seen, memory& state) {
        const auto number = std::chrono::floor<std::chrono::seconds>(seen.at.time_since_epoch()).count();
        if (number != state.now.number) {
            const bool was_busy = state.now.is_busy && number == state.now.number + 1;
            state.now = {.number = number, .was_busy = was_busy};
        }
        if (number / 60 == state.minute.number) return;
        const auto& last = state.minute;
        const bool is_silent = last.is_silent && last.number >= 0;
        const auto limit = last.silent_before >= 5 ? later_silent_minute : silent_minute;
        if (is_silent && last.turns > limit + 4 * last.calls) {
            complain(seen.at, seen.consumer, {},
                     fmt::format("{} turns in a minute in which no broker answered, in state {}", last.turns,
                                 state.member_state));
        }
        state.minute = {number / 60, 0, 0, is_silent ? last.silent_before + 1 : 0, true};
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> nobody_runs_without_need() { return std::make_unique<quiescence>(); }

}  // namespace strandline::testkit::sim::checkers
