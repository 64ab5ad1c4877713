// V3, and the second property of the reactor: every input that an answer names has somebody who will bring it. A
// response: a request in flight, with its own expiry. An acknowledgement: a callback that was asked for and not
// answered. A view: one that exists. And whatever is in flight ends the reactor's sleep by its expiry.
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/few.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

using core::kernel::input_kind;
constexpr std::uint64_t views = 6;

class live_producers final : public checker {
public:
    live_producers() noexcept
        : checker("V3", "every input that is awaited has a producer",
                  happenings_of<observed::turn_decided, observed::request_sent, observed::request_ended,
                                observed::notice_given, observed::turn_begun, observed::crashed,
                                observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        auto& state = consumers_[seen.consumer];
        if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            state.in_flight.try_emplace(sent->id.value(), sent->expires_at);
        } else if (const auto* ended = std::get_if<observed::request_ended>(&seen.what)) {
            state.in_flight.erase(ended->id.value());
        } else if (const auto* notice = std::get_if<observed::notice_given>(&seen.what)) {
            if (notice->what != observed::notice_given::kind::error) state.callbacks.insert(notice->id.value());
        } else if (std::holds_alternative<observed::turn_begun>(seen.what)) {
            look_for_callbacks(seen, state);
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            for (const auto& wait : *decided->waits) on_wait(seen, state, wait);
            on_decided(seen, state, *decided);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct memory {
        few<std::uint64_t, base::instant> in_flight;
        std::set<std::uint64_t> callbacks;
        std::set<std::uint64_t> awaited_callbacks;  // by the last decision; its notices follow it
    };

    void look_for_callbacks(const observation& seen, memory& state) {
        for (const auto id : std::exchange(state.awaited_callbacks, {})) {
            if (state.callbacks.contains(id)) continue;
            complain(seen.at, seen.consumer, {},
                     fmt::format("the acknowledgement of callback {} is awaited, which was never asked for", id));
        }
    }

    void on_wait(const observation& seen, memory& state, const core::kernel::waiting& wait) {
        for (const auto& input : wait.inputs.named()) {
            if (input.kind == input_kind::acknowledgement) state.awaited_callbacks.insert(input.id);
            if (const auto* wrong = what_is_wrong(state, input)) {
                complain(seen.at, seen.consumer, {},
                         fmt::format("manager {} awaits {} {}, reason {}: {}", wait.manager, name_of(input.kind),
                                     input.id, wait.why.code, wrong));
            }
        }
    }

    static const char* name_of(input_kind kind) {
        switch (kind) {
            case input_kind::response: return "the response to request";
            case input_kind::timer: return "a timer";
            case input_kind::acknowledgement: return "the acknowledgement of callback";
            case input_kind::command: return "a command";
            case input_kind::queue_space: return "queue space";
            case input_kind::space: return "space";
            case input_kind::view: return "view";
        }
        return "something";
    }

    static const char* what_is_wrong(const memory& state, const core::kernel::awaited& input) {
        switch (input.kind) {
            case input_kind::response: {
                const auto request = state.in_flight.find(input.id);
                if (request == state.in_flight.end()) return "it is not in flight";
                return input.until == request->second ? nullptr : "its expiry is not awaited with it";
            }
            case input_kind::timer: return input.until == base::never ? "it never comes" : nullptr;
            case input_kind::view: return input.id < views ? nullptr : "there is no such view";
            case input_kind::acknowledgement:
            case input_kind::command:
            case input_kind::queue_space:
            case input_kind::space: return nullptr;
        }
        return nullptr;
    }

    // A response may not come at all; that it does not is an input, too.
    void on_decided(const observation& seen, const memory& state, const observed::turn_decided& decided) {
        if (decided.stopped) return;
        for (const auto& [id, expires_at] : state.in_flight) {
            if (decided.park_until <= expires_at) continue;
            complain(seen.at, seen.consumer, {},
                     fmt::format("request {} is in flight, and nothing wakes the reactor when it expires", id));
        }
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> awaited_inputs_have_producers() { return std::make_unique<live_producers>(); }

}  // namespace strandline::testkit::sim::checkers
