#include "core/snapshot_press.hpp"

#include <utility>

namespace strandline::core {

void snapshot_press::set_member(const member_now& now) {
    const auto& shown = *member_;
    const bool is_same = shown.member_id == now.id && shown.member_epoch == now.epoch.value() &&
                         shown.state == now.state && shown.standing == now.standing &&
                         shown.coordinator == now.coordinator && shown.rejoins == now.rejoins &&
                         shown.was_absent == now.was_absent && shown.by_hand == now.by_hand;
    if (is_same) return;
    member_ = std::make_shared<const boundary::member_snapshot>(boundary::member_snapshot{
        now.id, now.epoch.value(), now.state, now.standing, now.coordinator, now.rejoins, now.was_absent, now.by_hand});
}

void snapshot_press::set_subscription(const std::vector<std::string>& topics, const std::string& pattern,
                                      const std::vector<std::string>& unmatched) {
    if (subscription_->topics == topics && subscription_->pattern == pattern &&
        subscription_->unmatched_topics == unmatched) {
        return;
    }
    subscription_ = std::make_shared<const boundary::subscription_snapshot>(
        boundary::subscription_snapshot{topics, pattern, unmatched});
}

void snapshot_press::note(const boundary::notice& told) {
    if (const auto* raised = std::get_if<boundary::error_raised>(&told)) last_error_ = raised->reason;
}

boundary::snapshot_ref snapshot_press::print(const turn& what, const boundary::turn_record& record) {
    if (!records_at_) records_at_ = what.made_at;
    auto made = std::make_shared<boundary::snapshot>();
    made->version = ++version_;
    made->made_at = what.made_at;
    made->pages = pages_;
    made->subscription = subscription_;
    made->member = member_;
    made->network = network_;
    made->cluster = cluster_;
    made->fatal = what.fatal;
    made->fatal_answer = what.fatal_answer;
    made->last_error = last_error_;
    made->checkpoint_wanted = what.checkpoint_wanted;
    made->progress_wanted = what.progress_wanted;
    made->stopped = what.stopped;
    made->waits.assign(what.waits.begin(), what.waits.end());
    made->turn = record;
    made->records_at = *records_at_;
    return made;
}

}  // namespace strandline::core
