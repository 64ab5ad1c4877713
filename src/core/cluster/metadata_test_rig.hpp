// Drives a metadata manager by hand: connections as told, answers by value, time as given.
#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "base/random_source.hpp"
#include "core/cluster/metadata_manager.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/wait_reason.hpp"
#include "core/kernel/facts.hpp"
#include "protocol/codec.hpp"

namespace strandline::core::cluster::test {

using namespace std::chrono_literals;
using exchange::connection_role;
using exchange::readiness;
using exchange::topics_of_interest;
using exchange::wait_reason;
using protocol::broker_error;
using protocol::broker_id;
using protocol::leader_epoch;
using protocol::messages::metadata_request;
using protocol::messages::metadata_response;
using topic_answer = metadata_response::metadata_response_topic;
using partition_answer = metadata_response::metadata_response_partition;

inline constexpr base::instant t0{1000s};

inline protocol::topic_id id_of(std::uint8_t number) {
    protocol::topic_id id;
    id.octets[15] = number;
    return id;
}

class told_connections final : public exchange::connections_view {
public:
    readiness of(broker_id, connection_role) const override { return {state, base::never}; }
    std::optional<std::int16_t> usable_version(broker_id, protocol::api_key, std::int16_t) const override {
        return version;
    }
    std::optional<broker_id> any_broker(connection_role role, base::instant) const override {
        EXPECT_EQ(role, connection_role::control);
        return broker;
    }
    base::instant throttled_until(broker_id, connection_role) const override { return silent_until; }

    std::optional<broker_id> broker{-2};
    readiness::state state = readiness::state::ready;
    std::optional<std::int16_t> version = 13;
    base::instant silent_until = base::instant::min();
};

inline partition_answer partition(std::int32_t index, std::int32_t leader, std::int32_t epoch) {
    partition_answer answer;
    answer.partition_index = protocol::partition_index(index);
    answer.leader_id = broker_id(leader);
    answer.leader_epoch = leader_epoch(epoch);
    answer.replica_nodes = {broker_id(leader)};
    answer.isr_nodes = {broker_id(leader)};
    return answer;
}
inline topic_answer topic(std::string name, std::uint8_t id, std::vector<partition_answer> partitions) {
    topic_answer answer;
    answer.name = std::move(name);
    answer.topic_id = id_of(id);
    answer.partitions = std::move(partitions);
    return answer;
}
inline topic_answer failed_topic(std::string name, broker_error failure) {
    topic_answer answer;
    answer.name = std::move(name);
    answer.error_code = failure;
    return answer;
}
inline metadata_response cluster_of(std::vector<topic_answer> topics, std::string cluster_id = "kafka-cluster") {
    metadata_response answer;
    answer.brokers = {{.node_id = broker_id(1), .host = "kafka1", .port = 9092, .rack = "a"},
                      {.node_id = broker_id(2), .host = "kafka2", .port = 9092, .rack = std::nullopt}};
    answer.cluster_id = std::move(cluster_id);
    answer.topics = std::move(topics);
    return answer;
}

class rig {
public:
    rig() {
        view.change().connections = &connections;
        manager.emplace(exchange::manager_context{config, random, ids, facts, views}, cluster, view);
    }

    exchange::turn_time time() const { return {now, {}}; }
    // Apply what is due, then plan until the manager waits.
    void turn(base::instant when) {
        now = when;
        manager->on_time(time());
        settle();
    }
    void settle() {
        facts.drain([&](exchange::fact fact) { seen_facts.push_back(std::move(fact)); });
        for (int asked = 0; asked < 10; ++asked) {
            static_cast<void>(views.take_read());
            auto answer = manager->plan(time());
            if (!answer.is_progress()) {
                EXPECT_EQ(views.take_read() & ~answer.wait().views(), 0U) << "a view was read and is not awaited";
                wake_at = answer.wait().wake_at();
                why = answer.why();
                awaits_view = answer.wait().views() != 0;
                EXPECT_GT(wake_at, now);
                EXPECT_TRUE(facts.empty()) << "plans emit no facts";
                return;
            }
            for (auto& output : std::move(answer).take_outputs()) take(std::move(output));
        }
        ADD_FAILURE() << "the manager does not come to rest";
    }
    void take(exchange::output output) {
        if (auto* request = std::get_if<exchange::outbound_request>(&output)) {
            ASSERT_FALSE(sent) << "one request at a time";
            sent.emplace(std::move(*request));
        } else if (const auto* wanted = std::get_if<exchange::connection_wanted>(&output)) {
            wanted_brokers.push_back(wanted->broker);
            connections.state = readiness::state::connecting;
        } else if (auto* done = std::get_if<boundary::completion>(&output)) {
            completions.push_back(std::move(*done));
        } else if (const auto* notice = std::get_if<boundary::notice>(&output)) {
            errors.push_back(std::get<boundary::error_raised>(*notice).reason);
        }
    }

    template <class Fact>
    void on(const Fact& fact) {
        manager->on_fact(fact, time());
        settle();
    }
    void interested_in(std::vector<std::string> names) {
        on(topics_of_interest{.who = topics_of_interest::source::subscription, .names = std::move(names)});
    }
    const metadata_request& request() const { return *sent->body.get_if<metadata_request>(); }
    // Names asked for, in order; "*" for all.
    std::vector<std::string> asked() const {
        std::vector<std::string> names;
        if (!sent) return names;
        if (!request().topics) return {"*"};
        for (const auto& one : *request().topics) names.push_back(one.name ? *one.name : one.topic_id.to_string());
        return names;
    }
    void answer(const metadata_response& metadata) {
        ASSERT_TRUE(sent);
        protocol::writer out;
        ASSERT_TRUE(protocol::encode(out, metadata, sent->version));
        respond(std::move(out).take());
    }
    void fail(exchange::request_failure::kind what = exchange::request_failure::kind::disconnected) {
        ASSERT_TRUE(sent);
        respond(tl::unexpected(exchange::request_failure{what, ""}));
    }
    void respond(tl::expected<base::shared_bytes, exchange::request_failure> body) {
        exchange::response response;
        response.id = sent->id;
        response.owner = sent->owner;
        response.broker = sent->broker;
        response.version = sent->version;
        response.body = std::move(body);
        sent.reset();
        manager->on_response(response, time());
        settle();
    }

    template <class Fact>
    std::vector<Fact> take_facts() {
        std::vector<Fact> found;
        std::erase_if(seen_facts, [&](const exchange::fact& fact) {
            const auto* const one = std::get_if<Fact>(&fact);
            if (one) found.push_back(*one);
            return one != nullptr;
        });
        return found;
    }
    std::vector<topic_partition> moved() {
        std::vector<topic_partition> partitions;
        for (const auto& one : take_facts<exchange::leadership_changed>()) {
            partitions.insert(partitions.end(), one.which.begin(), one.which.end());
        }
        return partitions;
    }
    const exchange::cluster_view& known() const { return cluster.get(); }
    std::pair<int, int> leader_of(const std::string& name, std::int32_t index) const {
        const auto* const partition = known().find(name, index);
        return partition ? std::pair{partition->leader.value(), partition->epoch.value()} : std::pair{-9, -9};
    }
    bool waits_for(wait_reason reason) const { return why.code == static_cast<std::uint16_t>(reason); }

    boundary::core_config config;
    base::seeded_random random{11};
    exchange::id_source ids;
    kernel::fact_queue<exchange::fact> facts;
    kernel::view_log views;
    told_connections connections;
    kernel::versioned<exchange::connections_handle> view{exchange::view::connections, views};
    kernel::versioned<exchange::cluster_view> cluster{exchange::view::cluster, views};
    std::optional<metadata_manager> manager;

    base::instant now = t0;
    base::instant wake_at = base::never;
    kernel::reason why;
    bool awaits_view = false;
    std::optional<exchange::outbound_request> sent;
    std::vector<broker_id> wanted_brokers;
    std::vector<boundary::completion> completions;
    std::vector<error> errors;
    std::vector<exchange::fact> seen_facts;
};

// Knows topic orders with one partition, led by broker 1 in epoch 3.
inline void learn_orders(rig& r) {
    r.interested_in({"orders"});
    r.answer(cluster_of({topic("orders", 1, {partition(0, 1, 3)})}));
    r.seen_facts.clear();
}

}  // namespace strandline::core::cluster::test
