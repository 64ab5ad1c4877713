#include "core/group/consumer/heartbeat_composer.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace strandline::core::group::consumer {

namespace {

std::int32_t milliseconds(base::duration wait) {
    const auto count = std::chrono::duration_cast<std::chrono::milliseconds>(wait).count();
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(count, 0, std::numeric_limits<std::int32_t>::max()));
}

std::vector<heartbeat_composer::request::topic_partitions_value> wire_form(const assignment_by_id& assignment) {
    std::vector<heartbeat_composer::request::topic_partitions_value> topics;
    topics.reserve(assignment.size());
    for (const auto& [id, partitions] : assignment) {
        auto& topic = topics.emplace_back();
        topic.topic_id = id;
        topic.partitions = partitions;
    }
    return topics;
}

}  // namespace

heartbeat_composer::request heartbeat_composer::compose(const member_report& member, std::int16_t version) {
    const bool joins = member.epoch == joining_epoch;
    const bool everything = joins || !told_;
    request said;
    said.group_id = config_->group_id.value_or("");
    if (member.id_confirmed || version >= first_version_with_own_id) said.member_id = member.member_id;
    said.member_epoch = member.epoch;
    said.instance_id = config_->group_instance_id;
    if (everything) {
        if (!config_->client_rack.empty()) said.rack_id = config_->client_rack;
        said.rebalance_timeout_ms = milliseconds(config_->max_poll_interval);
        said.server_assignor = config_->group_remote_assignor;
    }
    if (everything || told_->topics != member.topics) said.subscribed_topic_names = member.topics;
    if (version >= first_version_with_pattern) {
        if (!member.broker_pattern.empty()) {
            if (everything || told_->broker_pattern != member.broker_pattern) {
                said.subscribed_topic_regex = member.broker_pattern;
                pattern_may_stand_ = true;
            }
        } else if (pattern_may_stand_) {
            said.subscribed_topic_regex = std::string();
        }
    }
    if (joins) {
        said.topic_partitions.emplace();
    } else if (everything || told_->owned_version != member.owned_version) {
        said.topic_partitions = wire_form(ids_of(member.owned));
    }
    telling_ = statement{member.topics, member.broker_pattern, member.owned_version};
    return said;
}

heartbeat_composer::request heartbeat_composer::compose_leave(const std::string& member_id,
                                                              protocol::member_epoch epoch) const {
    request said;
    said.group_id = config_->group_id.value_or("");
    said.member_id = member_id;
    said.member_epoch = epoch;
    said.instance_id = config_->group_instance_id;
    return said;
}

void heartbeat_composer::on_answered() {
    if (!telling_) return;
    pattern_may_stand_ = pattern_may_stand_ && !telling_->broker_pattern.empty();
    acknowledged_ = telling_->owned_version;
    told_ = std::exchange(telling_, std::nullopt);
}

void heartbeat_composer::on_unanswered() {
    telling_.reset();
    told_.reset();
}

bool heartbeat_composer::subscription_is_news(const member_report& member) const noexcept {
    return !told_ || told_->topics != member.topics || told_->broker_pattern != member.broker_pattern;
}

}  // namespace strandline::core::group::consumer
