#include "testkit/fake_cluster/consumer_groups.hpp"

#include <algorithm>
#include <functional>

#include <re2/re2.h>

#include "testkit/fake_cluster/server_assignor.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using heartbeat_response = messages::consumer_group_heartbeat_response;

heartbeat_response refuse(broker_error error, std::string message) {
    heartbeat_response answer;
    answer.error_code = error;
    answer.error_message = std::move(message);
    return answer;
}

std::optional<partition_set> owned_of(const messages::consumer_group_heartbeat_request& asked) {
    if (!asked.topic_partitions) return std::nullopt;
    partition_set owned;
    for (const auto& topic : *asked.topic_partitions) {
        for (const auto index : topic.partitions) owned.insert({topic.topic_id, index.value()});
    }
    return owned;
}

bool owns_exactly(const group_member& member, const partition_set& owned) {
    return member.assigned.size() == owned.size() &&
           std::all_of(owned.begin(), owned.end(),
                       [&](const auto& partition) { return member.assigned.contains(partition); });
}

base::duration milliseconds(std::int32_t count) { return std::chrono::milliseconds(count); }

}  // namespace

std::string state_name(const consumer_group& group) {
    if (group.members.empty()) return "Empty";
    if (group.epoch > group.target_epoch) return "Assigning";
    const bool settled = std::all_of(group.members.begin(), group.members.end(), [&](const auto& entry) {
        return entry.second.state == group_member_state::stable && entry.second.epoch == group.target_epoch &&
               !entry.second.left_for_a_while;
    });
    return settled ? "Stable" : "Reconciling";
}

std::string assignor_of(const consumer_group& group) {
    const auto votes = [&](const char* assignor) {
        return std::count_if(group.members.begin(), group.members.end(),
                             [&](const auto& entry) { return entry.second.assignor == assignor; });
    };
    return votes("range") > votes("uniform") ? "range" : "uniform";
}

consumer_group* consumer_groups::find(const std::string& group) {
    const auto found = groups_.find(group);
    return found == groups_.end() ? nullptr : &found->second;
}

consumer_group& consumer_groups::find_or_make(const std::string& group) {
    auto& one = groups_[group];
    one.id = group;
    return one;
}

protocol::broker_id consumer_groups::coordinator_of(const std::string& key) const {
    const auto& brokers = cluster_.brokers();
    const auto runs = [](const auto& entry) { return entry.second.running; };
    const auto running = static_cast<std::uint32_t>(std::count_if(brokers.begin(), brokers.end(), runs));
    if (running == 0) return protocol::no_broker;
    if (const auto moved = moved_.find(key); moved != moved_.end()) {
        const auto there = brokers.find(moved->second);
        if (there != brokers.end() && runs(*there)) return moved->second;
    }
    // A hash of our own: std::hash differs between libraries, and a seed must repeat a run.
    std::uint32_t hash = 2166136261U;
    for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    auto left = hash % running;
    return std::find_if(brokers.begin(), brokers.end(), [&](const auto& entry) { return runs(entry) && left-- == 0; })
        ->first;
}

heartbeat_response consumer_groups::heartbeat(const request& asked, const std::string& client_id, base::instant now) {
    if (asked.group_id.empty()) return refuse(broker_error::invalid_request, "GroupId can't be empty.");
    if (asked.instance_id == "") return refuse(broker_error::invalid_request, "InstanceId can't be empty.");
    if (asked.rack_id == "") return refuse(broker_error::invalid_request, "RackId can't be empty.");
    if (asked.member_epoch.value() > 0 || asked.member_epoch.value() < 0) {
        if (asked.member_id.empty()) return refuse(broker_error::invalid_request, "MemberId can't be empty.");
    }
    if (asked.member_epoch.value() == 0) {
        if (asked.rebalance_timeout_ms == -1) {
            return refuse(broker_error::invalid_request, "RebalanceTimeoutMs must be provided in first request.");
        }
        if (!asked.topic_partitions || !asked.topic_partitions->empty()) {
            return refuse(broker_error::invalid_request, "TopicPartitions must be empty when (re-)joining.");
        }
        if (!asked.subscribed_topic_names && !asked.subscribed_topic_regex) {
            return refuse(broker_error::invalid_request,
                          "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.");
        }
    } else if (asked.member_epoch.value() < -2) {
        return refuse(broker_error::invalid_request, "MemberEpoch is invalid.");
    } else if (asked.member_epoch.value() == -2 && !asked.instance_id) {
        return refuse(broker_error::invalid_request, "InstanceId can't be null.");
    }
    if (asked.server_assignor && *asked.server_assignor != "uniform" && *asked.server_assignor != "range") {
        return refuse(
            broker_error::unsupported_assignor,
            "ServerAssignor " + *asked.server_assignor + " is not supported. Supported assignors: uniform, range.");
    }
    if (asked.subscribed_topic_regex && !asked.subscribed_topic_regex->empty() &&
        !RE2(*asked.subscribed_topic_regex, RE2::Quiet).ok()) {
        return refuse(
            broker_error::invalid_regular_expression,
            "SubscribedTopicRegex `" + *asked.subscribed_topic_regex + "` is not a valid regular expression.");
    }
    if (asked.member_epoch.value() == 0) {
        auto& group = groups_[asked.group_id];
        group.id = asked.group_id;
        return join(group, asked, client_id, now);
    }
    auto* group = find(asked.group_id);
    if (!group) {
        const std::string kind = asked.member_epoch.value() < 0 ? "Group " : "Consumer group ";
        return refuse(broker_error::group_id_not_found, kind + asked.group_id + " not found.");
    }
    if (asked.member_epoch.value() < 0) return leave(*group, asked);
    auto refusal = heartbeat_response();
    auto* found = known_member(*group, asked, refusal);
    if (!found) return refusal;
    auto& member = *found;
    const auto epoch = asked.member_epoch.value();
    const auto owned = owned_of(asked);
    // A member may not have heard of its newest epoch; it may go on from the one before with what it was given.
    const bool behind = epoch == member.previous_epoch && owned &&
                        std::all_of(owned->begin(), owned->end(),
                                    [&](const auto& partition) { return member.assigned.contains(partition); });
    if (epoch > member.epoch || (epoch < member.epoch && !behind)) {
        return refuse(broker_error::fenced_member_epoch,
                      "The consumer group member has " + std::string(epoch > member.epoch ? "a greater" : "a smaller") +
                          " member epoch (" + std::to_string(epoch) +
                          ") than the one known by the group coordinator (" + std::to_string(member.epoch) +
                          "). The member must abandon all its partitions and rejoin.");
    }
    if (update(member, asked)) ++group->epoch;
    return beat(*group, member, asked, false, now);
}

heartbeat_response consumer_groups::join(consumer_group& group, const request& asked, const std::string& client_id,
                                         base::instant now) {
    auto id = asked.member_id;
    if (id.empty()) id = base::uuid::random(cluster_.random()).to_string();
    if (asked.instance_id) {
        const auto* same = static_member(group, *asked.instance_id);
        if (same && same->id != id) {
            if (!same->left_for_a_while) {
                return refuse(broker_error::unreleased_instance_id,
                              "Static member " + id + " with instance id " + *asked.instance_id +
                                  " cannot join the group because the instance id is owned by " + same->id +
                                  " member.");
            }
            // The static member comes back under another id and finds what it had.
            auto returning = *same;
            group.target[id] = std::move(group.target[returning.id]);
            group.target.erase(returning.id);
            group.members.erase(returning.id);
            returning.id = id;
            group.members.emplace(id, std::move(returning));
        }
    }
    const bool known = group.members.contains(id);
    if (!known && static_cast<std::int32_t>(group.members.size()) >= settings_.max_size) {
        return refuse(broker_error::group_max_size_reached, "The consumer group has reached its maximum capacity of " +
                                                                std::to_string(settings_.max_size) + " members.");
    }
    group.is_simple = false;
    auto& member = group.members[id];
    member.id = id;
    member.instance_id = asked.instance_id;
    member.client_id = client_id;
    const bool returned = std::exchange(member.left_for_a_while, false);
    const bool changed = update(member, asked);
    if (!known || changed) ++group.epoch;
    if (returned || known) {
        // It says that it owns nothing: what was being revoked is revoked.
        member.revoking.clear();
        member.revocation_expires = base::never;
        member.state = group_member_state::stable;
        if (!returned) member.assigned.clear();
        member.epoch = 0;
    }
    return beat(group, member, asked, true, now);
}

bool consumer_groups::update(group_member& member, const request& asked) {
    bool changed = false;
    if (asked.rack_id) member.rack_id = asked.rack_id;
    if (asked.rebalance_timeout_ms != -1) member.rebalance_timeout = milliseconds(asked.rebalance_timeout_ms);
    if (asked.subscribed_topic_names) {
        std::set<std::string> names(asked.subscribed_topic_names->begin(), asked.subscribed_topic_names->end());
        changed |= names != member.subscribed_topics;
        member.subscribed_topics = std::move(names);
    }
    if (asked.subscribed_topic_regex) {
        changed |= *asked.subscribed_topic_regex != member.subscribed_regex;
        member.subscribed_regex = *asked.subscribed_topic_regex;
    }
    if (asked.server_assignor) {
        changed |= *asked.server_assignor != member.assignor;
        member.assignor = *asked.server_assignor;
    }
    return changed;
}

group_member* consumer_groups::known_member(consumer_group& group, const request& asked, response& refusal) {
    if (!asked.instance_id) {
        const auto found = group.members.find(asked.member_id);
        if (found != group.members.end()) return &found->second;
        refusal = refuse(broker_error::unknown_member_id,
                         "Member " + asked.member_id + " is not a member of group " + group.id + ".");
        return nullptr;
    }
    auto* found = static_member(group, *asked.instance_id);
    if (!found) {
        refusal = refuse(broker_error::unknown_member_id, "Instance id " + *asked.instance_id + " is unknown.");
        return nullptr;
    }
    if (found->id != asked.member_id) {
        refusal = refuse(broker_error::fenced_instance_id, "Static member " + asked.member_id + " with instance id " +
                                                               *asked.instance_id + " was fenced by member " +
                                                               found->id + ".");
        return nullptr;
    }
    return found;
}

group_member* consumer_groups::static_member(consumer_group& group, const std::string& instance_id) {
    const auto found = std::find_if(group.members.begin(), group.members.end(),
                                    [&](const auto& entry) { return entry.second.instance_id == instance_id; });
    return found == group.members.end() ? nullptr : &found->second;
}

heartbeat_response consumer_groups::leave(consumer_group& group, const request& asked) {
    auto refusal = heartbeat_response();
    auto* found = known_member(group, asked, refusal);
    if (!found) return refusal;
    heartbeat_response answer;
    answer.member_id = asked.member_id;
    answer.member_epoch = asked.member_epoch;
    if (asked.member_epoch.value() == -2) {
        found->left_for_a_while = true;
    } else {
        remove(group, asked.member_id);
        set_soonest({});
    }
    return answer;
}

void consumer_groups::remove(consumer_group& group, const std::string& member_id) {
    group.members.erase(member_id);
    group.target.erase(member_id);
    ++group.epoch;
    // Nobody is left to wait for.
    if (group.members.empty()) group.target_epoch = group.epoch;
}

std::set<std::string> consumer_groups::topics_of(const group_member& member) {
    std::set<std::string> topics;
    for (const auto& name : member.subscribed_topics) {
        if (cluster_.find_topic(name)) topics.insert(name);
    }
    if (!member.subscribed_regex.empty()) {
        const RE2 pattern(member.subscribed_regex, RE2::Quiet);
        for (const auto& [name, topic] : cluster_.topics()) {
            if (RE2::FullMatch(name, pattern)) topics.insert(name);
        }
    }
    return topics;
}

void consumer_groups::refresh_target(consumer_group& group) {
    // New partitions, topics made or deleted: the subscription means something else now.
    if (group.seen_cluster_version != cluster_.version()) {
        group.seen_cluster_version = cluster_.version();
        member_topics probe;
        for (auto& [id, member] : group.members) probe[id] = topics_of(member);
        partition_set wanted;
        partition_set had;
        for (const auto& [id, topics] : probe) {
            for (const auto& name : topics) {
                const auto& topic = *cluster_.find_topic(name);
                for (std::size_t i = 0; i < topic.partitions.size(); ++i) {
                    wanted.insert({topic.id, static_cast<std::int32_t>(i)});
                }
            }
        }
        for (const auto& [id, partitions] : group.target) had.insert(partitions.begin(), partitions.end());
        // Once for all reasons that a heartbeat has to make a new target.
        if (wanted != had && group.epoch == group.target_epoch) ++group.epoch;
    }
    if (group.target_epoch == group.epoch) return;
    member_topics members;
    for (auto& [id, member] : group.members) members[id] = topics_of(member);
    const bool by_range = assignor_of(group) == "range";
    group.target = by_range ? assign_ranges(members, cluster_) : assign_uniformly(members, cluster_, group.target);
    group.target_epoch = group.epoch;
}

bool consumer_groups::is_owned_by_another(const consumer_group& group, const group_member& member,
                                          const group_partition& partition) const {
    return std::any_of(group.members.begin(), group.members.end(), [&](const auto& entry) {
        return entry.first != member.id &&
               (entry.second.assigned.contains(partition) || entry.second.revoking.contains(partition));
    });
}

void consumer_groups::advance(consumer_group& group, group_member& member, base::instant now) {
    const auto& target = group.target[member.id];
    partition_set leaving;
    for (const auto& [partition, since] : member.assigned) {
        if (!target.contains(partition)) leaving.insert(partition);
    }
    if (!leaving.empty()) {
        for (const auto& partition : leaving) member.assigned.erase(partition);
        member.revoking = std::move(leaving);
        member.state = group_member_state::unrevoked_partitions;
        member.revocation_expires = base::saturating_add(now, member.rebalance_timeout);
        return;
    }
    bool some_unreleased = false;
    if (member.epoch != group.target_epoch) {
        member.previous_epoch = member.epoch;
        member.epoch = group.target_epoch;
    }
    for (const auto& partition : target) {
        if (member.assigned.contains(partition)) continue;
        if (is_owned_by_another(group, member, partition)) {
            some_unreleased = true;
        } else {
            member.assigned.emplace(partition, member.epoch);
        }
    }
    member.state = some_unreleased ? group_member_state::unreleased_partitions : group_member_state::stable;
}

bool consumer_groups::reconcile(consumer_group& group, group_member& member, const std::optional<partition_set>& owned,
                                base::instant now) {
    // As most heartbeats find it.
    if (member.state == group_member_state::stable && member.epoch == group.target_epoch) return false;
    if (member.state == group_member_state::unrevoked_partitions) {
        const bool confirmed = owned && std::none_of(member.revoking.begin(), member.revoking.end(),
                                                     [&](const auto& one) { return owned->contains(one); });
        if (!confirmed) return false;
        member.revoking.clear();
        member.revocation_expires = base::never;
    }
    const auto before = member.assigned;
    advance(group, member, now);
    return before != member.assigned;
}

heartbeat_response consumer_groups::beat(consumer_group& group, group_member& member, const request& asked, bool full,
                                         base::instant now) {
    member.session_expires =
        base::saturating_add(now, setting(group, "consumer.session.timeout.ms", settings_.session_timeout));
    refresh_target(group);
    const auto owned = owned_of(asked);
    const bool changed = reconcile(group, member, owned, now);
    soonest_ = std::min({soonest_, member.session_expires, member.revocation_expires});

    heartbeat_response answer;
    answer.member_id = member.id;
    answer.member_epoch = protocol::member_epoch(member.epoch);
    const auto interval = setting(group, "consumer.heartbeat.interval.ms", settings_.heartbeat_interval);
    answer.heartbeat_interval_ms =
        static_cast<std::int32_t>(std::chrono::duration_cast<std::chrono::milliseconds>(interval).count());
    // A full request, or one that owns something else than it should, is told all.
    const bool all_told = asked.rebalance_timeout_ms != -1 && owned.has_value();
    if (full || all_told || changed || (owned && !owns_exactly(member, *owned))) {
        std::map<protocol::topic_id, std::vector<protocol::partition_index>> by_topic;
        for (const auto& [partition, since] : member.assigned) {
            by_topic[partition.first].emplace_back(partition.second);
        }
        heartbeat_response::assignment_value assignment;
        for (auto& [id, indexes] : by_topic) {
            heartbeat_response::topic_partitions_value topic;
            topic.topic_id = id;
            topic.partitions = std::move(indexes);
            assignment.topic_partitions.push_back(std::move(topic));
        }
        answer.assignment = std::move(assignment);
    }
    return answer;
}

base::duration consumer_groups::setting(const consumer_group& group, const char* name, base::duration otherwise) const {
    const auto set = cluster_.group_config(group.id, name);
    // It is a number: nothing else can be set.
    return set ? milliseconds(static_cast<std::int32_t>(std::stol(*set))) : otherwise;
}

std::optional<std::string> consumer_groups::default_setting(const std::string& name) const {
    const auto in_milliseconds = [](base::duration value) {
        return std::to_string(value / std::chrono::milliseconds(1));
    };
    if (name == "consumer.session.timeout.ms") return in_milliseconds(settings_.session_timeout);
    if (name == "consumer.heartbeat.interval.ms") return in_milliseconds(settings_.heartbeat_interval);
    return std::nullopt;
}

bool consumer_groups::is_subscribed(const consumer_group& group, const std::string& topic) const {
    return std::any_of(group.members.begin(), group.members.end(), [&](const auto& entry) {
        const group_member& member = entry.second;
        return member.subscribed_topics.contains(topic) ||
               (!member.subscribed_regex.empty() && RE2::FullMatch(topic, RE2(member.subscribed_regex, RE2::Quiet)));
    });
}

void consumer_groups::on_time(base::instant now, const std::function<bool(protocol::broker_id)>& runs) {
    if (now < soonest_) return;
    for (auto& [id, group] : groups_) {
        if (runs && !runs(coordinator_of(id))) continue;
        std::vector<std::string> gone;
        for (const auto& [member_id, member] : group.members) {
            if (member.session_expires <= now || member.revocation_expires <= now) gone.push_back(member_id);
        }
        for (const auto& member_id : gone) remove(group, member_id);
    }
    set_soonest(runs);
}

void consumer_groups::set_soonest(const std::function<bool(protocol::broker_id)>& runs) {
    soonest_ = base::never;
    for (const auto& [id, group] : groups_) {
        if (runs && !runs(coordinator_of(id))) continue;
        for (const auto& [member_id, member] : group.members) {
            soonest_ = std::min({soonest_, member.session_expires, member.revocation_expires});
        }
    }
}

}  // namespace strandline::testkit::fake
