// Drives a fetch manager by hand: partitions where a test puts them, answers by value. Stands in for the position
// manager.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/exchange/manager_test_rig.hpp"
#include "core/fetch/fetch_manager.hpp"
#include "protocol/messages/fetch.hpp"
#include "records/batch_builder.hpp"

namespace strandline::core::fetch::test {

using namespace exchange::test;
using protocol::broker_error;
using protocol::messages::fetch_request;
using protocol::messages::fetch_response;
using partition_data = fetch_response::partition_data;

inline base::shared_bytes records_at(std::int64_t offset, int count, std::size_t value_size = 10) {
    records::batch_options options;
    options.base_offset = offset;
    options.leader_epoch = 5;
    records::batch_builder builder(options);
    const std::string value(value_size, 'v');
    for (int i = 0; i < count; ++i) builder.append({.value = base::as_bytes(value)});
    return builder.build();
}
// A batch of which compaction left `count` records.
inline base::shared_bytes compacted(std::int64_t offset, int count, std::int64_t last_offset) {
    records::batch_options options;
    options.base_offset = offset;
    options.leader_epoch = 5;
    records::batch_builder builder(options);
    for (int i = 0; i < count; ++i) builder.append({.value = base::as_bytes("v")});
    builder.reach(last_offset);
    return builder.build();
}
inline base::shared_bytes joined(const base::shared_bytes& first, const base::shared_bytes& second) {
    base::buffer both(first.size() + second.size());
    std::memcpy(both.writable().data(), first.data(), first.size());
    std::memcpy(both.writable().data() + first.size(), second.data(), second.size());
    return std::move(both).freeze(first.size() + second.size());
}
inline base::shared_bytes corrupted(const base::shared_bytes& bytes) {
    base::buffer copy(bytes.size());
    std::memcpy(copy.writable().data(), bytes.data(), bytes.size());
    copy.writable()[bytes.size() - 1] ^= std::byte{1};
    return std::move(copy).freeze(bytes.size());
}

inline partition_data data_at(std::int32_t partition, const base::shared_bytes& records, std::int64_t high_watermark) {
    partition_data data;
    data.partition_index = protocol::partition_index(partition);
    data.high_watermark = data.last_stable_offset = high_watermark;
    data.log_start_offset = high_watermark < 0 ? -1 : 0;
    data.records = records;
    return data;
}

inline const fetch_request& fetch_of(const exchange::outbound_request& request) {
    return *request.body.get_if<fetch_request>();
}
// By partition, of whatever topic.
inline std::map<std::int32_t, std::int64_t> offsets_of(const fetch_request& request) {
    std::map<std::int32_t, std::int64_t> offsets;
    for (const auto& topic : request.topics) {
        for (const auto& partition : topic.partitions) offsets[partition.partition.value()] = partition.fetch_offset;
    }
    return offsets;
}

struct rig : manager_test_rig {
    rig() {
        know_topic("orders", 400);
        know_topic("old", 1, 1, 5, 0);
    }

    fetch_manager& make() {
        if (!manager) manager.emplace(*context, subscription, connections, cluster, lifecycle);
        return *manager;
    }
    gathered_outputs plan() { return manager_test_rig::plan(make()); }
    // Takes what the manager emitted to where it belongs, then plans.
    gathered_outputs settle() {
        for (const auto& fact : facts.take<exchange::position_advanced>()) advance(fact);
        return plan();
    }
    void advance(const exchange::position_advanced& fact) {
        auto& state = subscription.change().states.change(fact.slot);
        if (state.era != fact.era || state.position->offset != fact.from) return;
        state.position->offset = fact.to;
        state.high_watermark = fact.high_watermark;
        state.last_stable_offset = fact.last_stable_offset;
        state.log_start_offset = fact.log_start_offset;
    }

    void place(std::int32_t partition, std::int64_t offset, const std::string& topic = "orders",
               protocol::topic_id id = id_of(1)) {
        auto& view = subscription.change();
        const boundary::slot_id slot(next_slot++);
        auto& state = view.add(slot, boundary::make_partition_ref({topic, partition}, id));
        state.era = boundary::incarnation(++last_era);
        state.phase = exchange::partition_phase::fetching;
        state.position = exchange::fetch_position{offset, protocol::no_leader_epoch, protocol::leader_epoch(5)};
        make().on_fact(exchange::partition_changed{{slot}}, time());
    }
    exchange::partition_state& change(std::int32_t partition, const std::string& topic = "orders") {
        return subscription.change().states.change(state(partition, topic).slot);
    }
    const exchange::partition_state& state(std::int32_t partition, const std::string& topic = "orders") {
        return *subscription.get().find(topic_partition{topic, partition});
    }
    void tell(std::int32_t partition, const std::string& topic = "orders") {
        make().on_fact(exchange::partition_changed{{state(partition, topic).slot}}, time());
    }
    void seek(std::int32_t partition, std::int64_t offset) {
        change(partition).position->offset = offset;
        change(partition).era = boundary::incarnation(++last_era);
        tell(partition);
    }
    void take_away(std::int32_t partition) {
        const auto slot = state(partition).slot;
        subscription.change().remove(slot);
        make().on_fact(exchange::partition_changed{{slot}}, time());
    }
    void identify(const std::string& topic, protocol::topic_id id) {
        auto& changed = change(0, topic);
        changed.partition = boundary::make_partition_ref(changed.partition->name, id);
        tell(0, topic);
    }
    void lead(std::int32_t partition, std::int32_t leader, std::int32_t epoch) {
        auto& leadership = cluster.change().topics.at("orders").partitions[static_cast<std::size_t>(partition)];
        leadership.leader = protocol::broker_id(leader);
        leadership.epoch = protocol::leader_epoch(epoch);
        change(partition).position->current_epoch = protocol::leader_epoch(epoch);
        tell(partition);
    }

    void answer(const exchange::outbound_request& request, std::int32_t session, std::vector<partition_data> data,
                base::duration took = 1ms) {
        fetch_response response;
        response.session_id = session;
        if (!data.empty()) response.responses = {{"orders", id_of(1), std::move(data), {}}};
        make().on_response(answer_to(request, response, took), time());
    }
    void refuse(const exchange::outbound_request& request, broker_error error) {
        fetch_response response;
        response.error_code = error;
        make().on_response(answer_to(request, response), time());
    }
    void drain(const boundary::completed_fetch& fetched) {
        make().on_buffer_drained({fetched.slot, fetched.era, fetched.next_offset}, time());
    }

    kernel::versioned<exchange::subscription_state> subscription{exchange::view::subscription, views};
    std::uint64_t last_era = 0;
    std::uint32_t next_slot = 0;
    std::optional<fetch_manager> manager;
};

}  // namespace strandline::core::fetch::test
