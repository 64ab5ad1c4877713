// R22. Whatever the network does to it, half-open, reset, a byte a second, an answer that never comes, comes late or
// out of order: a request has its end by its expiry.
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

// A stalled machine turns late; its timers are not early for that.
constexpr base::duration grace = std::chrono::milliseconds(10);

class requests_expire final : public checker {
public:
    requests_expire() noexcept
        : checker("R22", "every request has its end by its expiry, whatever the network does",
                  happenings_of<observed::turn_decided, observed::request_sent, observed::request_ended,
                                observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        auto& flights = consumers_[seen.consumer];
        if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            flights.emplace(sent->id, flight{sent->api, sent->broker, sent->expires_at});
        } else if (const auto* ended = std::get_if<observed::request_ended>(&seen.what)) {
            flights.erase(ended->id);
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            if (decided->stopped) flights.clear();
            find_late(seen.at, seen.consumer, flights, known);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

    void at_end(base::instant now, const truth& known) override {
        for (auto& [who, flights] : consumers_) find_late(now, who, flights, known);
    }

private:
    struct flight {
        protocol::api_key api;
        protocol::broker_id broker;
        base::instant expires_at;
    };
    using in_flight = std::map<core::exchange::request_id, flight>;

    void find_late(base::instant now, consumer_id who, in_flight& flights, const truth& known) {
        if (known.may_stand_still(now)) return;
        for (auto at = flights.begin(); at != flights.end();) {
            const auto& sent = at->second;
            if (sent.expires_at == base::never || now <= sent.expires_at + grace) {
                ++at;
                continue;
            }
            complain(now, who, {},
                     fmt::format("request {}, {} to broker {}, is still in flight {} ms after its expiry",
                                 at->first.value(), protocol::name(sent.api), sent.broker.value(),
                                 std::chrono::duration_cast<std::chrono::milliseconds>(now - sent.expires_at).count()));
            at = flights.erase(at);
        }
    }

    by_consumer<in_flight> consumers_;
};

}  // namespace

std::unique_ptr<checker> requests_end_by_their_expiry() { return std::make_unique<requests_expire>(); }

}  // namespace strandline::testkit::sim::checkers
