// V8. Whoever sees a fetch sees the position behind it: the decision of the turn that hands it over shows the partition
// at its end. In one incarnation fetches follow each other without a gap and without an overlap, what was given back
// aside.
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class position_before_data final : public checker {
public:
    position_before_data() noexcept
        : checker("V8", "a position is published before the data that moved it, and one fetch follows the other",
                  happenings_of<observed::turn_decided, observed::fetch_delivered, observed::data_given_back,
                                observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            if (decided->assignment) consumers_[seen.consumer].assignment = decided->assignment;
        } else if (const auto* data = std::get_if<observed::fetch_delivered>(&seen.what)) {
            on_delivered(seen, *data);
        } else if (const auto* given = std::get_if<observed::data_given_back>(&seen.what)) {
            auto& last = consumers_[seen.consumer].ends[given->slot];
            if (last.era == given->era) last.to = given->from;
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct end {
        core::boundary::incarnation era{0};
        std::int64_t to = 0;
    };
    struct memory {
        std::shared_ptr<const std::vector<observed::turn_decided::place>> assignment;
        std::map<core::boundary::slot_id, end> ends;
    };

    void on_delivered(const observation& seen, const observed::fetch_delivered& data) {
        // An error without records moves nothing.
        if (data.failed && data.from == data.to) return;
        auto& state = consumers_[seen.consumer];
        auto& last = state.ends[data.slot];
        if (last.era == data.era && data.from != last.to) {
            complain(seen.at, seen.consumer, {data.log, data.from},
                     fmt::format("a fetch from {} followed one that ended at {}", data.from, last.to));
        }
        last = {data.era, data.to};
        if (!state.assignment) return;
        for (const auto& place : *state.assignment) {
            // The slot may have begun another incarnation in the same turn: then this is dropped unseen.
            if (place.slot != data.slot || place.era != data.era) continue;
            if (place.position && *place.position >= data.to) continue;
            complain(seen.at, seen.consumer, {data.log, data.to},
                     fmt::format("records up to {} became visible while the published position was {}", data.to,
                                 place.position.value_or(-1)));
        }
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> positions_precede_data() { return std::make_unique<position_before_data>(); }

}  // namespace strandline::testkit::sim::checkers
