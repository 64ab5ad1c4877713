// Drives a connection manager by hand: time, network events and bytes in; orders, answers and facts out.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "base/random_source.hpp"
#include "core/connection/connection_manager.hpp"
#include "core/exchange/manager.hpp"
#include "core/kernel/facts.hpp"
#include "protocol/codec.hpp"
#include "protocol/header.hpp"
#include "protocol/messages/api_versions.hpp"
#include "protocol/messages/find_coordinator.hpp"
#include "protocol/messages/metadata.hpp"
#include "protocol/response_frame.hpp"

namespace strandline::core::connection::test {

using namespace std::chrono_literals;
using exchange::connection_role;
using exchange::readiness;
using protocol::broker_error;
using protocol::broker_id;
using protocol::messages::api_versions_request;
using protocol::messages::api_versions_response;

inline constexpr base::instant t0{1000s};
inline constexpr broker_id first_server{-2};
inline constexpr broker_id second_server{-3};
inline constexpr broker_id broker1{1};
inline constexpr broker_id broker2{2};

struct sent_request {
    connection_id connection;
    protocol::request_header header;
    base::shared_bytes body;
};

inline api_versions_response kafka_versions() {
    api_versions_response answer;
    for (const auto& [key, versions] : protocol::spoken_apis()) {
        answer.api_keys.push_back({.api_key = key, .min_version = versions.min, .max_version = versions.max});
    }
    return answer;
}

template <class Message>
base::shared_bytes answer_frame(const protocol::request_header& to, const Message& message) {
    auto frame = protocol::encode_response_frame(message, to.api_version, to.correlation_id);
    EXPECT_TRUE(frame);
    return std::move(frame).value_or(base::shared_bytes{});
}

inline std::string printed(const ip_endpoint& to) { return to.address + ":" + std::to_string(to.port); }

class rig {
public:
    explicit rig(std::vector<boundary::host_port> servers = {{"127.0.0.1", 9092}}) {
        config.bootstrap_servers = std::move(servers);
        config.client_id = "test";
        config.software_name = "strandline";
        config.software_version = "0.1";
        manager.emplace(exchange::manager_context{config, random, ids, facts, views}, cluster);
    }

    // ---- the turn
    void at(base::instant when) { now = when; }
    exchange::turn_time time() const { return {now, {}}; }
    // Apply without network input, then plan.
    void turn(base::instant when) {
        now = when;
        manager->on_time(time());
        settle();
    }
    void on(const network_event& event) {
        manager->on_time(time());
        manager->on_network(event, time());
        manager->digest_received(time());
        settle();
    }
    void settle() {
        facts.drain([&](exchange::fact fact) { seen_facts.push_back(std::move(fact)); });
        for (auto& response : manager->take_responses()) responses.push_back(std::move(response));
        const auto answer = manager->plan(time());
        ASSERT_FALSE(answer.is_progress());
        wake_at = answer.wait().wake_at();
        ASSERT_GT(wake_at, now) << "a wait that is over already";
        gather();
    }
    void gather() {
        for (auto& order : manager->take_orders()) {
            if (const auto* open = std::get_if<open_connection>(&order)) {
                opened[open->id] = open->to;
                opens.push_back(*open);
            } else if (const auto* close = std::get_if<close_connection>(&order)) {
                closed_ids.insert(close->id);
            } else if (const auto* resolve = std::get_if<resolve_name>(&order)) {
                queries.push_back(*resolve);
            } else {
                const auto& write = std::get<write_bytes>(order);
                EXPECT_FALSE(closed_ids.contains(write.id));
                auto split = protocol::split_request(write.bytes.slice(4));
                ASSERT_TRUE(split);
                requests.push_back({write.id, split->header, split->body});
            }
        }
    }

    // ---- what others do
    void want(broker_id broker, connection_role role = connection_role::control) {
        manager->want({broker, role}, time());
        settle();
    }
    exchange::request_id ask(broker_id broker, connection_role role = connection_role::control,
                             base::duration patience = 30s) {
        exchange::outbound_request request{.id = exchange::request_id(ids.next()),
                                           .owner = exchange::manager::coordinator,
                                           .operation = 7,
                                           .broker = broker,
                                           .role = role,
                                           .body = protocol::messages::find_coordinator_request{},
                                           .version = 3,
                                           .expires_at = now + patience};
        const auto id = request.id;
        manager->send(std::move(request), time());
        const bool failed_at_once = manager->turn_wanted();
        settle();
        if (failed_at_once) ++turns_wanted;
        return id;
    }
    void tell_brokers(const std::map<broker_id, boundary::host_port>& brokers,
                      std::string cluster_id = "kafka-cluster") {
        auto& view = cluster.change();
        view.brokers.clear();
        for (const auto& [id, address] : brokers) view.brokers[id] = {id, address, {}};
        view.cluster_id = std::move(cluster_id);
        view.bootstrapped = true;
        ++view.answers;
        settle();
    }

    // ---- what the network does
    void receive(connection_id id, base::bytes_view bytes) {
        while (!bytes.empty()) {
            const auto room = manager->receive_room(id);
            if (room.empty()) return;
            const auto count = std::min(room.size(), bytes.size());
            std::memcpy(room.data(), bytes.data(), count);
            turn_was_wanted = manager->received(id, count);
            bytes = bytes.subspan(count);
        }
    }
    void digest() {
        manager->on_time(time());
        manager->digest_received(time());
        settle();
    }
    template <class Message>
    void answer(const sent_request& request, const Message& message) {
        receive(request.connection, answer_frame(request.header, message));
        digest();
    }
    connection_id newest() const { return opens.back().id; }
    sent_request take_request() {
        EXPECT_FALSE(requests.empty());
        if (requests.empty()) return {};
        auto request = std::move(requests.front());
        requests.erase(requests.begin());
        return request;
    }
    // The newest attempt connects and shakes hands.
    connection_id shake_hands() {
        const auto id = newest();
        on(connected{id});
        answer(take_request(), kafka_versions());
        return id;
    }
    connection_id connect(broker_id broker, connection_role role = connection_role::control) {
        want(broker, role);
        return shake_hands();
    }
    void refuse_newest() { on(closed{newest(), "Connection refused"}); }

    readiness::state state(broker_id broker, connection_role role = connection_role::control) const {
        return manager->view_source().get()->of(broker, role).is;
    }
    std::optional<broker_id> any() const {
        return manager->view_source().get()->any_broker(connection_role::control, now);
    }
    template <class Fact>
    std::vector<Fact> facts_of() const {
        std::vector<Fact> found;
        for (const auto& fact : seen_facts) {
            if (const auto* one = std::get_if<Fact>(&fact)) found.push_back(*one);
        }
        return found;
    }

    boundary::core_config config;
    base::seeded_random random{7};
    exchange::id_source ids;
    kernel::fact_queue<exchange::fact> facts;
    kernel::view_log views;
    kernel::versioned<exchange::cluster_view> cluster{exchange::view::cluster, views};
    std::optional<connection_manager> manager;

    base::instant now = t0;
    base::instant wake_at = base::never;
    std::map<connection_id, ip_endpoint> opened;
    std::vector<open_connection> opens;
    std::set<connection_id> closed_ids;
    std::vector<resolve_name> queries;
    std::vector<sent_request> requests;
    std::vector<exchange::response> responses;
    std::vector<exchange::fact> seen_facts;
    bool turn_was_wanted = false;
    int turns_wanted = 0;
};

}  // namespace strandline::core::connection::test
