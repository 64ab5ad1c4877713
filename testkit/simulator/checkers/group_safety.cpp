// R7. In the coordinator's own books no two live members own a partition, and a member's epoch never goes back while it
// lives. And the members themselves: in a calm world no two of them have the same partition open at once.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class group_safety final : public checker {
public:
    group_safety() noexcept
        : checker("R7", "no two live members own a partition, and epochs only grow",
                  happenings_of<observed::group_member_changed, observed::slot_updated, observed::call_begun,
                                observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        if (const auto* member = std::get_if<observed::group_member_changed>(&seen.what)) {
            on_member(seen, *member, known);
        } else if (const auto* slot = std::get_if<observed::slot_updated>(&seen.what)) {
            on_slot(seen, *slot, known);
        } else if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            // Assigned by hand, a partition may have as many readers as one likes.
            if (called->what == observed::call_kind::assign) {
                by_hand_.insert(called->which.begin(), called->which.end());
            }
            // From here on it hands nothing out.
            if (called->what == observed::call_kind::close) let_go(seen.consumer);
        } else {
            let_go(seen.consumer);
        }
    }

private:
    void let_go(consumer_id who) {
        for (auto& [key, holder] : open_) {
            if (holder == who) holder = nobody;
        }
    }

    void on_member(const observation& seen, const observed::group_member_changed& member, const truth& known) {
        using kind = observed::group_member_changed::kind;
        const bool is_gone = member.what == kind::left || member.what == kind::fenced;
        auto& epoch = epochs_[{member.group, member.member_id}];
        if (is_gone || member.what == kind::joined) {
            epoch = 0;
            // With 0 it joins again, whether the group has given it up or not.
        } else if (member.epoch < epoch && member.epoch > 0) {
            complain(
                seen.at, seen.consumer, {},
                fmt::format("the epoch of member {} went back from {} to {}", member.member_id, epoch, member.epoch));
        }
        if (is_gone) return;
        epoch = member.epoch;
        for (const auto& [key, other] : known.members()) {
            if (key.first != member.group || key.second == member.member_id || !other.live) continue;
            for (const auto log : member.assigned) {
                if (contains(other.now.assigned, log) || contains(other.now.revoking, log)) {
                    complain(seen.at, seen.consumer, {log, {}},
                             fmt::format("members {} and {} of group {} own it both", member.member_id, key.second,
                                         member.group));
                }
            }
        }
    }

    // A member that was cut off may hold on to what another one owns by now; in a calm world there is no such member.
    void on_slot(const observation& seen, const observed::slot_updated& slot, const truth& known) {
        const auto* settings = known.settings(seen.consumer);
        if (!settings || !settings->group_id) return;
        auto& holder = open_.try_emplace({*settings->group_id, slot.log}, nobody).first->second;
        if (!slot.assigned) {
            if (holder == seen.consumer) holder = nobody;
            return;
        }
        const bool is_calm = known.faults().empty() && known.last_trouble() < seen.at - std::chrono::seconds(120);
        if (is_calm && holder != nobody && holder != seen.consumer && !by_hand_.contains(slot.log)) {
            complain(seen.at, seen.consumer, {slot.log, {}},
                     fmt::format("consumer {} still has it open", holder.value()));
        }
        holder = seen.consumer;
    }

    static bool contains(const std::vector<log_id>& logs, log_id log) {
        return std::find(logs.begin(), logs.end(), log) != logs.end();
    }

    std::map<std::pair<std::string, std::string>, std::int32_t> epochs_;
    std::map<std::pair<std::string, log_id>, consumer_id> open_;
    std::set<log_id> by_hand_;
};

}  // namespace

std::unique_ptr<checker> no_two_members_own_a_partition() { return std::make_unique<group_safety>(); }

}  // namespace strandline::testkit::sim::checkers
