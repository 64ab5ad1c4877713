#include "core/group/consumer/topic_subscription.hpp"

#include <algorithm>
#include <utility>

namespace strandline::core::group::consumer {

result<topic_subscription> topic_subscription::make(const boundary::command::subscribe& wanted,
                                                    const exchange::cluster_view& cluster) {
    topic_subscription made;
    made.topics_ = wanted.topics;
    std::sort(made.topics_.begin(), made.topics_.end());
    made.topics_.erase(std::unique(made.topics_.begin(), made.topics_.end()), made.topics_.end());
    made.broker_pattern_ = wanted.broker_pattern;
    made.has_listener_ = wanted.has_listener;
    if (!wanted.client_pattern.empty()) {
        auto pattern = topic_pattern::parse(wanted.client_pattern);
        if (!pattern) return tl::unexpected(std::move(pattern.error()));
        made.client_pattern_ = std::move(*pattern);
        made.looked_at_answer_ = cluster.answers;
    }
    return made;
}

bool topic_subscription::look_at(const exchange::cluster_view& cluster, bool exclude_internal) {
    if (!client_pattern_ || cluster.answers <= looked_at_answer_) return false;
    looked_at_answer_ = cluster.answers;
    auto matching = client_pattern_->matching(cluster, exclude_internal);
    if (std::exchange(looked_, true) && matching == topics_) return false;
    topics_ = std::move(matching);
    return true;
}

std::vector<std::string> topic_subscription::unmatched(const exchange::cluster_view& cluster) const {
    if (cluster.answers == 0) return {};
    if (client_pattern_) {
        if (topics_.empty() && looked_) return {client_pattern_->text()};
        return {};
    }
    std::vector<std::string> missing;
    for (const auto& name : topics_) {
        const auto* topic = cluster.find(name);
        if (topic == nullptr || topic->failure == protocol::broker_error::unknown_topic_or_partition) {
            missing.push_back(name);
        }
    }
    return missing;
}

}  // namespace strandline::core::group::consumer
