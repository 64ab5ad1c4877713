// R20. After the last fault heals, every partition of the topics that a group has subscribed to belongs to a live
// member that holds it open, whatever moved meanwhile: leaders, coordinators, topics that were made anew or have grown.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

// Sessions of dead members end, metadata ages, targets are computed and reconciled.
constexpr base::duration bound = std::chrono::seconds(400);

class every_partition_is_read final : public checker {
public:
    every_partition_is_read() noexcept
        : checker("R20", "after the last fault heals, every partition of a subscribed topic is open at some member",
                  happenings_of<observed::turn_decided, observed::call_begun, observed::call_ended, observed::crashed,
                                observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            if (decided->assignment) consumers_[seen.consumer].assignment = decided->assignment;
        } else if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            on_call(seen, *called, known);
        } else if (const auto* ended = std::get_if<observed::call_ended>(&seen.what)) {
            if (ended->failure && ended->failure->fatal()) consumers_.forget(seen.consumer);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

    void at_end(base::instant now, const truth& known) override {
        if (!known.is_calm() || now - std::max(known.calm_since(), known.last_trouble()) < bound) return;
        std::map<std::string, subscribed_group> groups;
        for (auto& [who, state] : consumers_) {
            const auto* settings = known.settings(who);
            if (!settings || !settings->group_id || state.topics.empty()) continue;
            auto& group = groups[*settings->group_id];
            // Whoever has only just come, or has not polled for long, changes everything for everybody.
            if (!state.last_poll || now - *state.last_poll > settings->max_poll_interval / 2) group.is_settled = false;
            if (now - state.subscribed_at < bound) group.is_settled = false;
            group.topics.insert(state.topics.begin(), state.topics.end());
            if (!state.assignment) continue;
            for (const auto& place : *state.assignment) group.open.insert(place.log);
        }
        for (const auto& [name, group] : groups) look(now, name, group, known);
    }

private:
    struct memory {
        std::shared_ptr<const std::vector<observed::turn_decided::place>> assignment;
        std::set<std::string> topics;
        base::instant subscribed_at{};
        std::optional<base::instant> last_poll;
    };
    struct subscribed_group {
        std::set<std::string> topics;
        std::set<log_id> open;
        bool is_settled = true;
    };

    void on_call(const observation& seen, const observed::call_begun& called, const truth& known) {
        using enum observed::call_kind;
        if (called.what == close) return consumers_.forget(seen.consumer);
        auto& state = consumers_[seen.consumer];
        if (called.what == poll) state.last_poll = seen.at;
        if (called.what == subscribe || called.what == unsubscribe || called.what == assign) {
            state.topics.clear();
            state.subscribed_at = seen.at;
        }
        if (called.what != subscribe) return;
        for (const auto log : called.which) {
            if (const auto* partition = known.find(log)) state.topics.insert(partition->topic);
        }
    }

    void look(base::instant now, const std::string& name, const subscribed_group& group, const truth& known) {
        if (!group.is_settled) return;
        for (std::uint32_t i = 0; i < known.logs(); ++i) {
            const auto* partition = known.find(log_id(i));
            if (partition->deleted || !group.topics.contains(partition->topic) || group.open.contains(log_id(i))) {
                continue;
            }
            complain(now, nobody, {log_id(i), {}}, fmt::format("no member of group {} has it open", name));
        }
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> every_partition_has_a_reader() { return std::make_unique<every_partition_is_read>(); }

}  // namespace strandline::testkit::sim::checkers
