#include "testkit/simulator/group_watch.hpp"

#include <algorithm>

#include "protocol/codec.hpp"
#include "protocol/messages/offset_commit.hpp"

namespace strandline::testkit::sim {

namespace {

using messages = protocol::messages::offset_commit_request;

}  // namespace

group_watch::group_watch(simulated_cluster& cluster, const log_writer& logs, observations& told)
    : cluster_(cluster), logs_(logs), told_(told) {
    cluster_.report_to(*this);
    auto& core = cluster_.core();
    // Only looked at; `handle` lets the next hook and the handler have it.
    core.intercept(protocol::api_key::consumer_group_heartbeat, [this](const fake::request_seen&) {
        members_may_differ_ = true;
        return fake::intercepted();
    });
    core.intercept(protocol::api_key::offset_commit, [this](const fake::request_seen& seen) {
        note_commit(seen);
        return fake::intercepted();
    });
    core.intercept_response(protocol::api_key::offset_commit, [this](const fake::response_seen& seen) {
        tell_commit(seen);
        return fake::held_back();
    });
    core.sessions().on_answered([this](const fake::fetch_session& session) { tell_session(session); });
}

void group_watch::on_cluster_acted() {
    if (!told_.anybody()) return;
    if (std::exchange(members_may_differ_, false)) tell_members();
}

// ---- commits

void group_watch::note_commit(const fake::request_seen& seen) {
    if (!told_.anybody()) return;
    const auto request = protocol::decode<messages>(seen.body, seen.header.api_version);
    if (!request) return;
    commit made{request->group_id, request->member_id, request->generation_id_or_member_epoch.value(), {}};
    for (const auto& topic : request->topics) {
        const auto* known = seen.header.api_version >= 10 ? cluster_.state().find_topic(topic.topic_id)
                                                          : cluster_.state().find_topic(topic.name);
        if (!known) continue;
        for (const auto& one : topic.partitions) {
            made.offsets.emplace_back(fake::group_partition(known->id, one.partition_index.value()),
                                      at_epoch{one.committed_offset, one.committed_leader_epoch.value()});
        }
    }
    commits_.insert_or_assign({seen.connection, seen.header.correlation_id}, std::move(made));
}

// Once it is answered, however late it was handled: those that the coordinator has taken are there now. One that it
// refused leaves what was there, and a commit of what is there already changes nothing either way.
void group_watch::tell_commit(const fake::response_seen& seen) {
    const auto found = commits_.extract({seen.connection, seen.request.correlation_id});
    if (found.empty()) return;
    const auto& one = found.mapped();
    for (const auto& [place, offset] : one.offsets) {
        const auto committed = cluster_.core().groups().committed(one.group, place);
        if (!committed || at_epoch{committed->offset, committed->leader_epoch} != offset) continue;
        const auto [at, is_new] = committed_.try_emplace({one.group, place}, offset);
        if (!is_new && std::exchange(at->second, offset) == offset) continue;
        told_.tell(observed::offset_stored{one.group, logs_.log_of(place.first, place.second), offset.offset,
                                           one.member_id, one.epoch, offset.leader_epoch});
    }
}

void group_watch::expire_offsets() {
    for (auto& [name, group] : cluster_.core().groups().all()) {
        if (!group.members.empty() || group.offsets.empty()) continue;
        group.offsets.clear();
        std::erase_if(committed_, [&](const auto& one) { return one.first.first == name; });
        told_.tell(observed::offsets_expired{name});
    }
}

// ---- members

std::vector<log_id> group_watch::logs_of(const fake::partition_set& all) const {
    std::vector<log_id> found;
    for (const auto& place : all) found.push_back(logs_.log_of(place.first, place.second));
    return found;
}

bool group_watch::is_as_before(const member& before, const fake::group_member& now) {
    return before.epoch == now.epoch && before.left_for_a_while == now.left_for_a_while &&
           std::string_view(before.instance_id) == (now.instance_id ? *now.instance_id : std::string_view()) &&
           std::equal(before.assigned.begin(), before.assigned.end(), now.assigned.begin(), now.assigned.end(),
                      [](const auto& one, const auto& other) { return one == other.first; }) &&
           before.revoking == now.revoking;
}

bool group_watch::are_as_before(const members& before, const fake::consumer_group& group) {
    return std::equal(before.begin(), before.end(), group.members.begin(), group.members.end(),
                      [](const auto& one, const auto& other) {
                          return one.first == other.first && is_as_before(one.second, other.second);
                      });
}

void group_watch::tell_members() {
    for (const auto& [name, group] : cluster_.core().groups().all()) {
        auto& before = members_[name];
        if (!are_as_before(before, group)) tell_members(name, group, before);
    }
}

void group_watch::tell_members(const std::string& name, const fake::consumer_group& group, members& before) {
    using kind = observed::group_member_changed::kind;
    for (const auto& [id, one] : before) {
        if (group.members.contains(id)) continue;
        told_.tell(
            observed::group_member_changed{kind::left, name, id, one.instance_id, one.epoch, group.epoch, {}, {}});
    }
    members now;
    for (const auto& [id, one] : group.members) {
        member made{one.epoch, one.instance_id.value_or(""), {}, one.revoking, one.left_for_a_while};
        for (const auto& [place, epoch] : one.assigned) made.assigned.insert(made.assigned.end(), place);
        const auto known = before.find(id);
        if (known == before.end() || !is_as_before(known->second, one)) {
            // A static member that had stepped aside and is back joins as any other does.
            const bool is_new = known == before.end() || (known->second.left_for_a_while && !one.left_for_a_while);
            told_.tell(observed::group_member_changed{is_new ? kind::joined : kind::changed, name, id, made.instance_id,
                                                      made.epoch, group.epoch, logs_of(made.assigned),
                                                      logs_of(made.revoking)});
        }
        now.emplace_hint(now.end(), id, std::move(made));
    }
    before = std::move(now);
}

// ---- fetch sessions

void group_watch::tell_session(const fake::fetch_session& session) {
    if (!told_.anybody()) return;
    observed::fetch_session_kept kept{session.broker, session.id, session.next_epoch, {}};
    for (const auto& one : session.partitions.all()) {
        auto topic = one.topic_id;
        if (!session.uses_topic_ids) {
            const auto* known = cluster_.state().find_topic(one.topic);
            if (!known) continue;
            topic = known->id;
        }
        kept.places.push_back({logs_.log_of(topic, one.asked.partition.value()), one.asked.fetch_offset});
    }
    std::sort(kept.places.begin(), kept.places.end(), [](const auto& a, const auto& b) { return a.log < b.log; });
    told_.tell(std::move(kept));
}

}  // namespace strandline::testkit::sim
