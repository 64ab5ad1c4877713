// Drives a commit manager by hand: partitions with progress, a member, a coordinator.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/exchange/manager_test_rig.hpp"
#include "core/offsets/commit_manager.hpp"
#include "protocol/messages/offset_commit.hpp"
#include "protocol/messages/offset_fetch.hpp"

namespace strandline::core::offsets::test {

using namespace exchange::test;
using exchange::close_stage;
using protocol::broker_error;
using protocol::messages::offset_commit_request;
using protocol::messages::offset_commit_response;
using protocol::messages::offset_fetch_request;
using protocol::messages::offset_fetch_response;

inline const topic_partition orders{"orders", 0};
inline const topic_partition more_orders{"orders", 1};

inline const offset_commit_request& commit_of(const exchange::outbound_request& request) {
    return *request.body.get_if<offset_commit_request>();
}
// By partition of whatever topic.
inline std::map<std::int32_t, std::int64_t> committed_by(const exchange::outbound_request& request) {
    std::map<std::int32_t, std::int64_t> offsets;
    for (const auto& topic : commit_of(request).topics) {
        for (const auto& partition : topic.partitions) {
            offsets[partition.partition_index.value()] = partition.committed_offset;
        }
    }
    return offsets;
}
using by_partition = std::map<std::int32_t, std::int64_t>;

struct commit_rig : manager_test_rig {
    commit_rig() {
        config.group_id = "billing";
        know_topic("orders", 2);
        auto& found = coordinator.change();
        found.broker = protocol::broker_id(3);
        found.version = 4;
        auto& me = member.change();
        me = {true, "member-1", protocol::member_epoch(7), 1, false};
        assign(orders);
        assign(more_orders);
    }

    commit_manager& make() {
        if (!manager) {
            manager.emplace(*context, coordinator, connections, member, subscription, lifecycle, cluster);
        }
        return *manager;
    }
    gathered_outputs plan() {
        make().on_turn(time());
        return manager_test_rig::plan(make());
    }
    exchange::partition_state& change(const topic_partition& partition) {
        return subscription.change().states.change(slot_of(partition));
    }
    boundary::slot_id slot_of(const topic_partition& partition) { return subscription.get().find(partition)->slot; }
    void assign(const topic_partition& partition, protocol::topic_id id = id_of(1)) {
        auto& view = subscription.change();
        const auto number = static_cast<std::uint32_t>(view.slots().size());
        view.add(boundary::slot_id(number), boundary::make_partition_ref(partition, id)).era =
            boundary::incarnation(number + 1);
    }
    void process(const topic_partition& partition, std::int64_t next) {
        change(partition).processed = offset_and_metadata(next, 5);
        note(partition);
    }
    void note(const topic_partition& partition) {
        auto& state = change(partition);
        auto& uncommitted = subscription.change().uncommitted;
        if (state.committed && state.committed->offset == state.processed->offset)
            uncommitted.erase(state.slot);
        else
            uncommitted.insert(state.slot);
    }
    // Stands in for the position manager.
    gathered_outputs settle() {
        for (const auto& fact : facts.take<exchange::offsets_committed>()) {
            for (const auto& [slot, committed] : fact.which) {
                const auto& name = subscription.get().find(slot)->partition->name;
                change(name).committed = committed;
                note(name);
            }
        }
        return plan();
    }

    gathered_outputs commit(std::uint64_t token, bool retry = true, base::instant deadline = base::never) {
        boundary::command::commit what;
        what.retry = retry;
        make().on_command(what, boundary::operation_token(token), deadline, time());
        return plan();
    }
    gathered_outputs commit(std::uint64_t token, strandline::offsets named, bool retry = true,
                            base::instant deadline = base::never) {
        make().on_command(boundary::command::commit{boundary::command::commit::source::named, std::move(named), retry},
                          boundary::operation_token(token), deadline, time());
        return plan();
    }
    void answer(const exchange::outbound_request& request, broker_error result = broker_error::none,
                std::map<std::int32_t, broker_error> results = {}) {
        offset_commit_response response;
        for (const auto& topic : commit_of(request).topics) {
            auto& answered = response.topics.emplace_back();
            answered.name = topic.name;
            answered.topic_id = topic.topic_id;
            for (const auto& partition : topic.partitions) {
                const auto it = results.find(partition.partition_index.value());
                answered.partitions.push_back(
                    {partition.partition_index, it == results.end() ? result : it->second, {}});
            }
        }
        make().on_response(answer_to(request, response), time());
    }

    kernel::versioned<exchange::subscription_state> subscription{exchange::view::subscription, views};
    std::optional<commit_manager> manager;
};

}  // namespace strandline::core::offsets::test
