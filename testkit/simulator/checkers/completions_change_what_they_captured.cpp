// V10. An answer changes only what its request captured. Data is handed over only of the incarnation that its slot has;
// within an incarnation a position moves only with a fetch that was handed over.
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

class completions_change_what_they_captured final : public checker {
public:
    completions_change_what_they_captured() noexcept
        : checker("V10", "an answer changes only what its request captured",
                  happenings_of<observed::turn_decided, observed::fetch_delivered, observed::slot_updated,
                                observed::data_given_back, observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            if (decided->assignment) on_assignment(seen, *decided->assignment);
        } else if (const auto* data = std::get_if<observed::fetch_delivered>(&seen.what)) {
            on_delivered(seen, *data);
        } else if (const auto* slot = std::get_if<observed::slot_updated>(&seen.what)) {
            auto& at = consumers_[seen.consumer].slots[slot->slot];
            if (at.era != slot->era) at.ends.clear();
            at.assigned = slot->assigned;
            at.era = std::max(at.era, slot->era);
        } else if (const auto* given = std::get_if<observed::data_given_back>(&seen.what)) {
            auto& at = consumers_[seen.consumer].slots[given->slot];
            if (at.era == given->era) at.ends.insert(given->from);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct slot_state {
        bool assigned = false;
        core::boundary::incarnation era{0};
        std::set<std::int64_t> ends;  // of the fetches handed over, and where what was given back began
    };
    struct shown {
        core::boundary::incarnation era{0};
        std::optional<std::int64_t> position;
    };
    struct moved {
        log_id log;
        core::boundary::slot_id slot;
        std::int64_t from = 0;
        std::int64_t to = 0;
    };
    struct memory {
        std::map<core::boundary::slot_id, slot_state> slots;
        std::map<core::boundary::slot_id, shown> positions;
        std::vector<moved> unexplained;  // of the turn that was decided last; its deliveries follow
    };

    void on_delivered(const observation& seen, const observed::fetch_delivered& data) {
        auto& state = consumers_[seen.consumer];
        auto& at = state.slots[data.slot];
        if (at.era < data.era) {
            complain(seen.at, seen.consumer, {data.log, data.from},
                     "data was handed over of an incarnation that its slot does not have yet");
        }
        at.ends.insert(data.to);
        std::erase_if(state.unexplained, [&](const moved& one) { return one.slot == data.slot && one.to == data.to; });
    }

    void on_assignment(const observation& seen, const std::vector<observed::turn_decided::place>& assignment) {
        auto& state = consumers_[seen.consumer];
        for (const auto& one : std::exchange(state.unexplained, {})) {
            complain(seen.at, seen.consumer, {one.log, one.to},
                     fmt::format("the position moved from {} to {} without a fetch that ends there", one.from, one.to));
        }
        std::map<core::boundary::slot_id, shown> next;
        for (const auto& place : assignment) {
            next.emplace(place.slot, shown{place.era, place.position});
            const auto before = state.positions.find(place.slot);
            if (before == state.positions.end() || before->second.era != place.era) continue;
            const auto& was = before->second.position;
            if (!was || !place.position || *was == *place.position) continue;
            if (state.slots[place.slot].ends.contains(*place.position)) continue;
            state.unexplained.push_back({place.log, place.slot, *was, *place.position});
        }
        state.positions = std::move(next);
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> answers_change_what_was_captured() {
    return std::make_unique<completions_change_what_they_captured>();
}

}  // namespace strandline::testkit::sim::checkers
