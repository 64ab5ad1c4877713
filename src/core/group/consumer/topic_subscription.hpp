// What the application subscribed to, and the topic names that this amounts to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <strandline/error.hpp>

#include "core/boundary/command.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/group/consumer/topic_pattern.hpp"

namespace strandline::core::group::consumer {

class topic_subscription {
public:
    // Of nothing.
    topic_subscription() = default;
    // invalid_argument if its client-side pattern is none. The cluster has to be heard of anew before such a pattern
    // stands for any topics.
    static result<topic_subscription> make(const boundary::command::subscribe& wanted,
                                           const exchange::cluster_view& cluster);

    bool empty() const noexcept { return topics_.empty() && broker_pattern_.empty() && !client_pattern_; }
    bool has_listener() const noexcept { return has_listener_; }

    // For the group: names in order, and the pattern that the broker evaluates.
    const std::vector<std::string>& topics() const noexcept { return topics_; }
    const std::string& broker_pattern() const noexcept { return broker_pattern_; }
    // Either pattern's text.
    const std::string& pattern() const noexcept { return client_pattern_ ? client_pattern_->text() : broker_pattern_; }
    // Every topic's name is needed to tell which ones match.
    bool needs_all_topics() const noexcept { return client_pattern_.has_value(); }
    // What a client-side pattern stands for has been seen.
    bool resolved() const noexcept { return !client_pattern_ || looked_; }
    // Looks at the cluster's topics again if something was heard of it since. True: they match differently now.
    bool look_at(const exchange::cluster_view& cluster, bool exclude_internal);
    // Wanted and, as far as is known, not there: topics, or a client-side pattern that matches none.
    std::vector<std::string> unmatched(const exchange::cluster_view& cluster) const;

private:
    std::vector<std::string> topics_;
    std::string broker_pattern_;
    std::optional<topic_pattern> client_pattern_;
    std::uint64_t looked_at_answer_ = 0;
    bool looked_ = false;
    bool has_listener_ = false;
};

}  // namespace strandline::core::group::consumer
