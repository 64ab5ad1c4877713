// V14. A close leaves the group whenever the consumer is joined and its coordinator is there, whatever the time-out; it
// says what it left undone; and after the leave is dealt with it looks for no coordinator any more.
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class close_is_one_plan final : public checker {
public:
    close_is_one_plan() noexcept
        : checker(
              "V14", "close leaves the group if it can, and says what it left undone",
              happenings_of<observed::call_begun, observed::call_ended, observed::request_sent, observed::request_ended,
                            observed::turn_decided, observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        auto& state = consumers_[seen.consumer];
        if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            if (!state.closing) state.member_epoch = decided->member_epoch;
        } else if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            if (called->what == observed::call_kind::close && !called->in_callback) begin(seen, state, known);
        } else if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            on_sent(seen, state, *sent);
        } else if (const auto* ended = std::get_if<observed::request_ended>(&seen.what)) {
            on_answer(state, seen, *ended);
        } else if (const auto* over = std::get_if<observed::call_ended>(&seen.what)) {
            if (over->what == observed::call_kind::close && state.closing) on_closed(seen, state, *over);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct memory {
        std::int32_t member_epoch = -1;
        std::optional<core::exchange::request_id> heartbeat;  // in flight
        base::instant coordinator_answered = base::instant::min();
        bool closing = false;
        bool owes_leave = false;
        bool has_left = false;
    };

    void begin(const observation& seen, memory& state, const truth& known) {
        state.closing = true;
        const auto* settings = known.settings(seen.consumer);
        const bool is_static = settings && settings->group_instance_id;
        // It was heard of lately, and nothing is wrong with the world: the leave can be written at least.
        const bool is_there = state.coordinator_answered > seen.at - std::chrono::seconds(6) &&
                              known.faults().empty() && known.last_trouble() < seen.at - std::chrono::seconds(30);
        state.owes_leave = state.member_epoch > 0 && is_there && !is_static;
    }

    void on_sent(const observation& seen, memory& state, const observed::request_sent& sent) {
        if (const auto* heartbeat = std::get_if<observed::heartbeat_content>(&sent.content)) {
            state.heartbeat = sent.id;
            if (state.closing && heartbeat->member_epoch < 0) state.has_left = true;
        }
        if (sent.api == protocol::api_key::find_coordinator && state.closing && state.has_left) {
            complain(seen.at, seen.consumer, {}, "the coordinator was looked for after the group was left");
        }
    }

    static void on_answer(memory& state, const observation& seen, const observed::request_ended& ended) {
        if (state.heartbeat != ended.id) return;
        state.heartbeat.reset();
        if (ended.what == observed::request_ended::how::answered) state.coordinator_answered = seen.at;
    }

    void on_closed(const observation& seen, memory& state, const observed::call_ended& over) {
        state.closing = false;
        if (!state.owes_leave || state.has_left) return;
        bool is_told = false;
        for (const auto& text : over.undone) is_told = is_told || text.find("leave") != std::string::npos;
        complain(seen.at, seen.consumer, {},
                 fmt::format("the group was not left, though the member had joined and its coordinator was there{}",
                             is_told ? "; at least it says so" : ", and close does not say so"));
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> close_leaves_the_group() { return std::make_unique<close_is_one_plan>(); }

}  // namespace strandline::testkit::sim::checkers
