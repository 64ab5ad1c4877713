// Drives a position manager by hand: answers by value, facts and checkpoints as told.
#pragma once

#include <optional>

#include <gtest/gtest.h>

#include "core/exchange/manager_test_rig.hpp"
#include "core/offsets/list_offsets_test_rig.hpp"
#include "core/offsets/position_manager.hpp"
#include "protocol/messages/list_offsets.hpp"
#include "protocol/messages/offset_for_leader_epoch.hpp"

namespace strandline::core::offsets::test {

using namespace exchange::test;
using exchange::partition_phase;
using protocol::broker_error;
using protocol::messages::list_offsets_request;
using protocol::messages::offset_for_leader_epoch_request;
using protocol::messages::offset_for_leader_epoch_response;

inline const topic_partition orders{"orders", 0};
inline const topic_partition bills{"bills", 0};
inline constexpr boundary::operation_token token{77};

struct position_rig : manager_test_rig {
    explicit position_rig(boundary::reset_policy::kind policy = boundary::reset_policy::kind::earliest,
                          bool in_group = false) {
        config.auto_offset_reset.what = policy;
        config.auto_offset_reset.ago = 1h;
        if (in_group) config.group_id = "billing";
        know_topic("orders", 2);
        know_topic("bills", 1, 2, 7, 2);
        manager.emplace(*context, connections, cluster);
    }

    gathered_outputs plan() { return manager_test_rig::plan(*manager); }
    const exchange::partition_state& state(const topic_partition& partition = orders) {
        return *manager->view_source().get().find(partition);
    }
    template <class Command>
    gathered_outputs command(const Command& what, base::instant deadline = base::never) {
        manager->on_command(what, token, deadline, time());
        return plan();
    }
    gathered_outputs assign(const partitions& wanted) { return command(boundary::command::assign{wanted}); }
    // Assigned by hand and standing at `offset`, reached with epoch `last_epoch`.
    void fetching_at(std::int64_t offset, std::int32_t last_epoch = -1) {
        const auto asked = assign({orders});
        ASSERT_EQ(asked.requests.size(), 1U);
        answer(asked.requests[0], offset, last_epoch);
        plan();
        ASSERT_EQ(state().phase, partition_phase::fetching);
    }
    void answer(const exchange::outbound_request& request, std::int64_t offset, std::int32_t epoch = -1,
                broker_error failure = broker_error::none) {
        manager->on_response(answer_to(request, list_offsets_answer(request, offset, -1, epoch, failure)), time());
    }
    void answer_epoch(const exchange::outbound_request& request, std::int32_t epoch, std::int64_t end_offset,
                      broker_error failure = broker_error::none) {
        offset_for_leader_epoch_response response;
        auto& topic = response.topics.emplace_back();
        topic.topic = "orders";
        topic.partitions.push_back(
            {failure, protocol::partition_index(0), protocol::leader_epoch(epoch), end_offset, {}});
        manager->on_response(answer_to(request, response), time());
    }
    void advance(std::int64_t from, std::int64_t to, std::int32_t epoch = 5) {
        exchange::position_advanced fact;
        fact.slot = state().slot;
        fact.era = state().era;
        fact.from = from;
        fact.to = to;
        fact.last_epoch = protocol::leader_epoch(epoch);
        manager->on_fact(fact, time());
    }
    void lead(std::int32_t leader, std::int32_t epoch) {
        auto& partition = cluster.change().topics.at("orders").partitions[0];
        partition.leader = protocol::broker_id(leader);
        partition.epoch = protocol::leader_epoch(epoch);
        manager->on_fact(exchange::leadership_changed{{orders}}, time());
    }
    void checkpoint(std::int64_t processed) {
        boundary::checkpoint checkpoint;
        checkpoint.changed.push_back({state().slot, state().era, processed, 5});
        manager->on_checkpoint(checkpoint, time());
    }

    std::optional<position_manager> manager;
};

inline const list_offsets_request& list_offsets_of(const exchange::outbound_request& request) {
    return *request.body.get_if<list_offsets_request>();
}

}  // namespace strandline::core::offsets::test
