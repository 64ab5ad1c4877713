// V18. Each turn publishes one decision, and everything that it puts out agrees with it: versions count turns, and a
// heartbeat, a commit or an answer's member carries the member id and epoch that the same decision shows. In whatever
// order managers are asked, it is the same decision: order_twin asks them in others.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class one_snapshot_per_decision final : public checker {
public:
    one_snapshot_per_decision() noexcept
        : checker("V18",
                  "one decision a turn, in whatever order managers are asked, and all that it puts out agrees with it",
                  happenings_of<observed::turn_begun, observed::turn_decided, observed::request_sent,
                                observed::contract_broken, observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        auto& state = consumers_[seen.consumer];
        if (const auto* begun = std::get_if<observed::turn_begun>(&seen.what)) {
            if (state.is_open) complain(seen.at, seen.consumer, {}, "a turn began before the last one was decided");
            state.is_open = true;
            state.turn = begun->number;
            state.stamped.clear();
        } else if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            if (!state.is_open) {
                complain(seen.at, seen.consumer, {},
                         fmt::format("request {} was put out outside of a turn", sent->id.value()));
            }
            note(state, *sent);
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            on_decided(seen, state, *decided);
        } else if (const auto* broken = std::get_if<observed::contract_broken>(&seen.what)) {
            if (broken->which == observed::contract_broken::clause::order_matters) {
                complain(seen.at, seen.consumer, {}, broken->what);
            }
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct stamp {
        protocol::api_key api;
        std::string member_id;
        std::int32_t epoch;
    };
    struct memory {
        bool is_open = false;
        std::uint64_t turn = 0;
        std::uint64_t version = 0;
        std::vector<stamp> stamped;
    };

    static void note(memory& state, const observed::request_sent& sent) {
        if (const auto* beat = std::get_if<observed::heartbeat_content>(&sent.content)) {
            state.stamped.push_back({sent.api, beat->member_id, beat->member_epoch});
        } else if (const auto* commit = std::get_if<observed::commit_content>(&sent.content)) {
            state.stamped.push_back({sent.api, commit->member_id, commit->member_epoch});
        }
    }

    void on_decided(const observation& seen, memory& state, const observed::turn_decided& decided) {
        if (!state.is_open || decided.number != state.turn) {
            complain(seen.at, seen.consumer, {}, "a decision came without its turn");
        }
        state.is_open = false;
        if (decided.version != state.version + 1 && state.version != 0) {
            complain(seen.at, seen.consumer, {},
                     fmt::format("version {} followed version {}", decided.version, state.version));
        }
        state.version = decided.version;
        for (const auto& one : state.stamped) {
            const bool leaves = one.epoch < 0;
            if (leaves ? decided.member_epoch <= 0 : one.epoch == decided.member_epoch) continue;
            complain(seen.at, seen.consumer, {},
                     fmt::format("{} carries epoch {}, and the decision of its turn shows epoch {}",
                                 protocol::name(one.api), one.epoch, decided.member_epoch));
        }
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> one_decision_a_turn() { return std::make_unique<one_snapshot_per_decision>(); }

}  // namespace strandline::testkit::sim::checkers
