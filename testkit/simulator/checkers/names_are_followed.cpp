// R19. When names resolve again, or all brokers have moved, a consumer that wants something reaches a broker within a
// bound after the last fault has healed.
#include <map>
#include <memory>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class names_are_followed final : public checker {
public:
    names_are_followed() noexcept
        : checker("R19", "after the last fault heals, whoever wants something of a broker gets an answer",
                  happenings_of<observed::request_ended, observed::call_begun, observed::call_ended, observed::crashed,
                                observed::consumer_gone, observed::turn_begun>()) {}

    void on(const observation& seen, const truth& known) override {
        auto& state = consumers_[seen.consumer];
        if (const auto* ended = std::get_if<observed::request_ended>(&seen.what)) {
            if (ended->what == observed::request_ended::how::answered) state.answered = seen.at;
        } else if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            on_call(seen, called->what, state, known);
        } else if (const auto* over = std::get_if<observed::call_ended>(&seen.what)) {
            if (over->what == observed::call_kind::poll) state.left_poll = seen.at;
            if (over->failure && over->failure->fatal()) consumers_.forget(seen.consumer);
        } else if (std::holds_alternative<observed::turn_begun>(seen.what)) {
            look(seen.at, seen.consumer, state, known);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

    void at_end(base::instant now, const truth& known) override {
        for (auto& [who, state] : consumers_) look(now, who, state, known);
    }

private:
    struct memory {
        bool is_subscribed = false;  // or has partitions assigned by hand: without either a poll asks for nothing
        base::instant answered = base::instant::min();
        base::instant polls_since = base::never;
        base::instant left_poll = base::never;  // it is in one
        bool told = false;
    };

    void on_call(const observation& seen, observed::call_kind called, memory& state, const truth& known) {
        using enum observed::call_kind;
        if (called == subscribe || called == assign) {
            state.is_subscribed = true;
        } else if (called == unsubscribe) {
            state.is_subscribed = false;
            state.polls_since = base::never;
        } else if (called == poll) {
            const bool begins = state.polls_since == base::never || is_away(seen.at, seen.consumer, state, known);
            if (state.is_subscribed && begins) state.polls_since = seen.at;
            state.left_poll = base::never;
        } else if (called == close) {
            consumers_.forget(seen.consumer);
        }
    }

    // For so long that it counts as gone: it wants nothing.
    static bool is_away(base::instant now, consumer_id who, const memory& state, const truth& known) {
        const auto* settings = known.settings(who);
        return settings && state.left_poll != base::never && now - state.left_poll > settings->max_poll_interval;
    }

    // A consumer that polls has a session or a heartbeat at least: a member of a group, or a partition to fetch.
    void look(base::instant now, consumer_id who, memory& state, const truth& known) {
        if (state.told || !known.is_calm() || state.polls_since == base::never) return;
        const auto* settings = known.settings(who);
        if (!settings || is_away(now, who, state, known)) return;
        const auto since = std::max({known.calm_since(), state.polls_since, state.answered, known.last_trouble()});
        const auto bound = settings->connection_setup_timeout.maximum + 2 * settings->reconnect.maximum +
                           settings->request_timeout + settings->metadata_max_age + std::chrono::seconds(5);
        if (now - since < bound) return;
        state.told = true;
        complain(now, who, {},
                 fmt::format("no broker has answered for {} s, though nothing is wrong with the world",
                             std::chrono::duration_cast<std::chrono::seconds>(now - since).count()));
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> brokers_are_found_again() { return std::make_unique<names_are_followed>(); }

}  // namespace strandline::testkit::sim::checkers
