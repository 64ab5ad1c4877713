// V17. What a member may send follows from its state: a table. A join tells everything; an epoch is stamped as it is
// published in the same decision; and whoever is in a group has a heartbeat to come.
#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

// By the state that the decision of the same turn shows.
struct licence {
    std::string_view state;
    bool joins;       // a heartbeat of epoch 0
    bool beats;       // of its epoch
    bool leaves;      // of epoch -1, or -2
    bool must_sleep_until_something;  // the reactor's sleep has an end
};
constexpr std::array licences{
    licence{"unsubscribed", false, false, true, false},  // the leave may be over in the turn that sent it
    licence{"joining", true, false, false, false},      licence{"stable", false, true, false, true},
    licence{"reconciling", false, true, false, true},   licence{"acknowledging", false, true, false, true},
    licence{"fenced", false, false, false, false},      licence{"preparing_to_leave", false, true, false, false},
    licence{"leaving", false, false, true, false},      licence{"stale", false, false, true, false},
    licence{"fatal", false, false, false, false},
};

class legal_requests final : public checker {
public:
    legal_requests() noexcept
        : checker("V17", "a member sends only what its state allows",
                  happenings_of<observed::request_sent, observed::turn_begun, observed::turn_decided, observed::crashed,
                                observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        auto& state = consumers_[seen.consumer];
        if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            if (const auto* beat = std::get_if<observed::heartbeat_content>(&sent->content))
                state.sent.push_back(*beat);
        } else if (std::holds_alternative<observed::turn_begun>(seen.what)) {
            state.sent.clear();
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            on_decided(seen, state, *decided);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct memory {
        std::vector<observed::heartbeat_content> sent;
    };

    void on_decided(const observation& seen, const memory& state, const observed::turn_decided& decided) {
        const auto known = std::find_if(licences.begin(), licences.end(),
                                        [&](const licence& one) { return one.state == decided.member_state; });
        if (known == licences.end()) {
            if (!decided.member_state.empty()) {
                complain(seen.at, seen.consumer, {}, fmt::format("there is no state {}", decided.member_state));
            }
            return;
        }
        for (const auto& beat : state.sent) {
            const bool allowed = beat.member_epoch > 0    ? known->beats
                                 : beat.member_epoch == 0 ? known->joins
                                                          : known->leaves;
            if (!allowed) {
                complain(seen.at, seen.consumer, {},
                         fmt::format("a heartbeat of epoch {} was sent in state {}", beat.member_epoch, known->state));
            }
            if (beat.member_epoch == 0 && !beat.full) {
                complain(seen.at, seen.consumer, {}, "a member joins without telling all about itself");
            }
        }
        if (known->must_sleep_until_something && decided.member_epoch > 0 && decided.park_until == base::never &&
            !decided.stopped) {
            complain(seen.at, seen.consumer, {}, fmt::format("in state {} no heartbeat is to come", known->state));
        }
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> requests_are_legal() { return std::make_unique<legal_requests>(); }

}  // namespace strandline::testkit::sim::checkers
