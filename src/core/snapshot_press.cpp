#include "core/snapshot_press.hpp"

#include <algorithm>
#include <utility>

namespace strandline::core {

namespace {

bool same(const std::vector<error>& shown, const std::vector<connection::address_failure>& failures) {
    return std::equal(shown.begin(), shown.end(), failures.begin(), failures.end(),
                      [](const error& a, const connection::address_failure& b) {
                          return a == b.code && a.message() == b.address + ": " + b.what;
                      });
}

}  // namespace

void snapshot_press::set_member(const std::string& id, protocol::member_epoch epoch, std::string_view state) {
    if (member_->member_id == id && member_->member_epoch == epoch.value() && member_->state == state) return;
    member_ = std::make_shared<const boundary::member_snapshot>(
        boundary::member_snapshot{id, epoch.value(), std::string(state)});
}

void snapshot_press::set_subscription(std::vector<std::string> topics, const std::string& pattern,
                                      std::vector<std::string> unmatched) {
    if (subscription_->topics == topics && subscription_->pattern == pattern &&
        subscription_->unmatched_topics == unmatched) {
        return;
    }
    subscription_ = std::make_shared<const boundary::subscription_snapshot>(
        boundary::subscription_snapshot{std::move(topics), pattern, std::move(unmatched)});
}

void snapshot_press::set_network(bool contacted, const std::vector<connection::address_failure>& failures) {
    if (network_->contacted == contacted && same(network_->trouble, failures)) return;
    boundary::network_snapshot made{contacted, {}};
    for (const auto& failure : failures) {
        made.trouble.emplace_back(failure.code, failure.address + ": " + failure.what, error_subject{},
                                  error::traits{.retriable = true});
    }
    network_ = std::make_shared<const boundary::network_snapshot>(std::move(made));
}

void snapshot_press::note(const boundary::notice& told) {
    if (const auto* raised = std::get_if<boundary::error_raised>(&told)) last_error_ = raised->reason;
}

boundary::snapshot_ref snapshot_press::print(const turn& what) {
    auto made = std::make_shared<boundary::snapshot>();
    made->version = ++version_;
    made->made_at = what.made_at;
    made->pages = pages_;
    made->subscription = subscription_;
    made->member = member_;
    made->network = network_;
    made->fatal = what.fatal;
    made->last_error = last_error_;
    made->checkpoint_wanted = what.checkpoint_wanted;
    made->stopped = what.stopped;
    made->waits.assign(what.waits.begin(), what.waits.end());
    return made;
}

}  // namespace strandline::core
