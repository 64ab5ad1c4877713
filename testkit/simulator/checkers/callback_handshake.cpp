// V15. A callback that is wanted runs once and is answered once; one whose place was taken by a loss never begins;
// while one runs, the member's heartbeats go on.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

// Between two heartbeats of a member in a calm world: the broker's interval, and what a busy coordinator may add.
constexpr base::duration longest_silence = std::chrono::seconds(20);

class callback_handshake final : public checker {
public:
    callback_handshake() noexcept
        : checker("V15", "each wanted callback runs once and is answered once, and heartbeats go on meanwhile",
                  happenings_of<observed::notice_given, observed::callback_begun, observed::callback_ended,
                                observed::request_sent, observed::turn_decided, observed::call_ended, observed::crashed,
                                observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        auto& state = consumers_[seen.consumer];
        if (const auto* notice = std::get_if<observed::notice_given>(&seen.what)) {
            if (notice->what == observed::notice_given::kind::error) return;
            state.wanted.insert(notice->id);
            if (notice->supersedes && !state.begun.contains(*notice->supersedes)) {
                state.superseded.insert(*notice->supersedes);
            }
        } else if (const auto* begun = std::get_if<observed::callback_begun>(&seen.what)) {
            on_begun(seen, state, *begun);
        } else if (const auto* ended = std::get_if<observed::callback_ended>(&seen.what)) {
            if (!state.running || *state.running != ended->id) {
                complain(seen.at, seen.consumer, {},
                         fmt::format("callback {} ended, though it was not running", ended->id.value()));
            }
            state.running.reset();
        } else if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            if (sent->api == protocol::api_key::consumer_group_heartbeat) state.last_heartbeat = seen.at;
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            on_decided(seen, state, *decided, known);
        } else if (!std::holds_alternative<observed::call_ended>(seen.what)) {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct memory {
        std::set<core::boundary::callback_id> wanted;
        std::set<core::boundary::callback_id> begun;
        std::set<core::boundary::callback_id> superseded;
        std::optional<core::boundary::callback_id> running;
        base::instant running_since{};
        base::instant last_heartbeat = base::instant::min();
    };

    void on_begun(const observation& seen, memory& state, const observed::callback_begun& begun) {
        const auto id = begun.id.value();
        if (!state.wanted.contains(begun.id)) {
            complain(seen.at, seen.consumer, {}, fmt::format("callback {} began, though nobody wanted it", id));
        } else if (!state.begun.insert(begun.id).second) {
            complain(seen.at, seen.consumer, {}, fmt::format("callback {} began twice", id));
        } else if (state.superseded.contains(begun.id)) {
            complain(seen.at, seen.consumer, {},
                     fmt::format("callback {} began, though a loss had taken its place", id));
        }
        if (state.running) {
            complain(seen.at, seen.consumer, {},
                     fmt::format("callback {} began while callback {} was running", id, state.running->value()));
        }
        state.running = begun.id;
        state.running_since = seen.at;
    }

    void on_decided(const observation& seen, memory& state, const observed::turn_decided& decided, const truth& known) {
        if (!state.running || decided.member_epoch <= 0) return;
        if (!known.faults().empty() || known.last_trouble() > seen.at - std::chrono::minutes(2)) return;
        const auto since = std::max(state.last_heartbeat, state.running_since);
        if (seen.at - since <= longest_silence) return;
        complain(seen.at, seen.consumer, {},
                 fmt::format("no heartbeat for {} s while callback {} runs",
                             std::chrono::duration_cast<std::chrono::seconds>(seen.at - since).count(),
                             state.running->value()));
        state.last_heartbeat = seen.at;
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> callbacks_are_answered() { return std::make_unique<callback_handshake>(); }

}  // namespace strandline::testkit::sim::checkers
