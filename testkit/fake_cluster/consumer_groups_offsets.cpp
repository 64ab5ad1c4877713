// The offsets of groups: who may commit and read them.
#include <utility>

#include "testkit/fake_cluster/consumer_groups.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

broker_error consumer_groups::check_commit(const committing& who) const {
    const auto found = groups_.find(who.group);
    if (found == groups_.end()) {
        if (who.epoch < 0) return broker_error::none;
        return who.new_protocol_version ? broker_error::group_id_not_found : broker_error::illegal_generation;
    }
    const auto& group = found->second;
    if (who.epoch < 0 && group.members.empty()) return broker_error::none;
    // To Kafka a group that never had members is a classic one, in generation 0, where nobody is a member.
    const auto member = group.members.find(who.member_id);
    if (member == group.members.end()) return broker_error::unknown_member_id;
    if (!who.new_protocol_version) return broker_error::unsupported_version;
    return who.epoch > member->second.epoch ? broker_error::stale_member_epoch : broker_error::none;
}

broker_error consumer_groups::commit(const committing& who, const group_partition& partition, committed_offset offset) {
    auto& group = groups_[who.group];
    group.id = who.group;
    const auto member = group.members.find(who.member_id);
    if (member != group.members.end() && who.epoch < member->second.epoch) {
        // An older epoch is good enough for what this member has owned since then (KIP-1251).
        const auto assigned = member->second.assigned.find(partition);
        if (assigned == member->second.assigned.end() || assigned->second > who.epoch)
            return broker_error::stale_member_epoch;
    }
    group.offsets[partition] = std::move(offset);
    return broker_error::none;
}

broker_error consumer_groups::check_fetch(const committing& who) const {
    // An administrator reads without being a member, and anybody reads what was committed from outside.
    const auto found = groups_.find(who.group);
    if (found == groups_.end() || found->second.is_simple) return broker_error::none;
    if (!who.named && who.epoch < 0) return broker_error::none;
    const auto member = found->second.members.find(who.member_id);
    if (member == found->second.members.end()) return broker_error::unknown_member_id;
    return member->second.epoch == who.epoch ? broker_error::none : broker_error::stale_member_epoch;
}

std::optional<committed_offset> consumer_groups::committed(const std::string& group,
                                                           const group_partition& partition) const {
    const auto found = groups_.find(group);
    if (found == groups_.end()) return std::nullopt;
    const auto offset = found->second.offsets.find(partition);
    if (offset == found->second.offsets.end()) return std::nullopt;
    return offset->second;
}

void consumer_groups::commit_in_transaction(const std::string& group, const std::vector<pending_offset>& offsets) {
    auto& one = groups_[group];
    one.id = group;
    for (const auto& offset : offsets) {
        if (const auto* topic = cluster_.find_topic(offset.topic)) {
            one.offsets[{topic->id, offset.partition}] = {offset.offset, offset.leader_epoch, offset.metadata};
        }
    }
}

}  // namespace strandline::testkit::fake
