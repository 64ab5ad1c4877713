// V12. A request is registered before it is sent and ends once: its number is used once, no end comes without a begin,
// and of what must not be doubled there is one in flight: a Fetch for each connection, a heartbeat of one epoch, one
// search for the coordinator, one question about metadata.
#include <memory>
#include <tuple>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/few.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class requests_are_registered final : public checker {
public:
    requests_are_registered() noexcept
        : checker("V12", "every request begins once and ends once, and none is doubled",
                  happenings_of<observed::request_sent, observed::request_ended, observed::turn_begun,
                                observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        auto& state = consumers_[seen.consumer];
        if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            on_sent(seen, state, *sent);
        } else if (const auto* ended = std::get_if<observed::request_ended>(&seen.what)) {
            if (!state.in_flight.take(ended->id)) {
                complain(seen.at, seen.consumer, {},
                         fmt::format("request {} ended, though it is not in flight", ended->id.value()));
            }
        } else if (std::holds_alternative<observed::turn_begun>(seen.what)) {
            state.sent_in_turn.clear();
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    using key = std::tuple<protocol::api_key, protocol::broker_id, core::exchange::connection_role>;
    struct flight {
        key what;
        std::int32_t epoch = 0;  // of a heartbeat
    };
    struct memory {
        few<core::exchange::request_id, flight> in_flight;
        core::exchange::request_id newest{0};
        few<key, int> sent_in_turn;
    };

    static bool is_single(protocol::api_key api) {
        switch (api) {
            case protocol::api_key::fetch:
            case protocol::api_key::consumer_group_heartbeat:
            case protocol::api_key::find_coordinator:
            case protocol::api_key::metadata: return true;
            default: return false;
        }
    }

    void on_sent(const observation& seen, memory& state, const observed::request_sent& sent) {
        if (sent.id <= state.newest) {
            complain(seen.at, seen.consumer, {},
                     fmt::format("request {} was sent after request {}: its number is used again", sent.id.value(),
                                 state.newest.value()));
        }
        state.newest = sent.id;
        const auto* heartbeat = std::get_if<observed::heartbeat_content>(&sent.content);
        const flight made{{sent.api, sent.broker, sent.role}, heartbeat ? heartbeat->member_epoch : 0};
        // Whoever joins anew or leaves waits for no answer that is still under way, nor does the end of a fetch
        // session.
        const auto* fetch = std::get_if<observed::fetch_content>(&sent.content);
        const bool ends_session = fetch && fetch->session_epoch < 0 && fetch->added.empty();
        if (is_single(sent.api) && !ends_session) {
            for (const auto& [id, other] : state.in_flight) {
                if (other.what != made.what || other.epoch != made.epoch) continue;
                complain(seen.at, seen.consumer, {},
                         fmt::format("request {} of {} was sent to broker {} while request {} is in flight",
                                     sent.id.value(), protocol::name(sent.api), sent.broker.value(), id.value()));
            }
        }
        if (++state.sent_in_turn[made.what] == 3) {
            complain(seen.at, seen.consumer, {},
                     fmt::format("{} was asked of broker {} three times in one turn", protocol::name(sent.api),
                                 sent.broker.value()));
        }
        state.in_flight.try_emplace(sent.id, made);
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> requests_begin_and_end_once() { return std::make_unique<requests_are_registered>(); }

}  // namespace strandline::testkit::sim::checkers
