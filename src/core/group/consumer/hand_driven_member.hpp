// For unit tests: a membership manager among managers, an application and a coordinator that are played by hand.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/exchange/wait_reason.hpp"
#include "core/group/consumer/membership_manager.hpp"
#include "core/group/hand_driven.hpp"
#include "protocol/messages/consumer_group_heartbeat.hpp"

namespace strandline::core::group::consumer {

using namespace std::chrono_literals;
using heartbeat = protocol::messages::consumer_group_heartbeat_request;
using heartbeat_answer = protocol::messages::consumer_group_heartbeat_response;
using callback = boundary::callback_wanted;
using exchange::close_stage;
using exchange::connection_role;
using exchange::readiness;
using exchange::request_failure;
using exchange::wait_reason;
using protocol::broker_error;
using protocol::member_epoch;

inline constexpr protocol::broker_id coordinator_broker{1};
inline constexpr base::duration heartbeat_interval = 3s;

inline protocol::topic_id topic_number(std::uint8_t number) {
    protocol::topic_id made;
    made.octets[15] = number;
    return made;
}
inline const protocol::topic_id orders = topic_number(1);
inline const protocol::topic_id audit = topic_number(2);

inline boundary::core_config of_group_billing() {
    boundary::core_config config;
    config.group_id = "billing";
    config.max_poll_interval = 60s;
    return config;
}

// What the coordinator answers. Without `owned` the target stays as it was.
struct told {
    std::int32_t epoch = 1;
    std::optional<std::vector<std::pair<protocol::topic_id, std::vector<std::int32_t>>>> target = {};
};

struct hand_driven_member {
    hand_driven by_hand;
    membership_manager manager;
    base::instant now{100s};

    // How the other managers behave: whether they do at once what is asked of them.
    bool fences_are_met = true;
    bool commits_are_answered = true;

    // Everything since it was last taken.
    std::vector<exchange::fact> facts;
    std::vector<heartbeat> heartbeats;
    std::vector<boundary::notice> notices;
    std::vector<boundary::completion> completions;
    std::vector<exchange::stage_finished> stages;
    std::vector<exchange::connection_wanted> wanted;
    planned idle;  // what it waits for
    std::optional<sent_request> sent;
    std::string sent_by;
    std::uint64_t next_token = 1;

    explicit hand_driven_member(boundary::core_config config = of_group_billing())
        : by_hand(std::move(config)),
          manager(by_hand.context(), by_hand.coordinator, by_hand.connections_view, by_hand.cluster,
                  by_hand.lifecycle) {
        by_hand.connections.newest_versions[heartbeat::key] = 1;
        by_hand.coordinator.change() = {.broker = coordinator_broker, .version = 1, .refusal = {}};
        by_hand.set(coordinator_broker, connection_role::group, readiness::state::ready);
        auto& cluster = by_hand.cluster.change();
        cluster.answers = 1;
        for (const auto& [id, name] : {std::pair{orders, "orders"}, std::pair{audit, "audit"}}) {
            cluster.topics[name].name = name;
            cluster.names[id] = name;
        }
        turn();
    }

    exchange::turn_time time() const { return {now, {}}; }
    void pass(base::duration wait) {
        now += wait;
        turn();
    }

    // The rest of a turn after its inputs.
    void turn() {
        drain();
        manager.on_turn(time());
        drain();
        idle = plan_of(manager, by_hand.views, time());
        EXPECT_FALSE(idle.missed_an_edge);
        drain();
        for (auto& output : idle.outputs) std::visit([&](auto& what) { take(what); }, output);
        idle.outputs.clear();
    }
    void drain() {
        by_hand.facts.drain([&](exchange::fact fact) {
            facts.push_back(fact);
            const auto* fence = std::get_if<exchange::fence_wanted>(&fact);
            if (fence != nullptr && fences_are_met && fence->ticket != 0) {
                manager.on_fact(exchange::fences_met{fence->ticket}, time());
            }
            const auto* commit = std::get_if<exchange::revocation_commit_wanted>(&fact);
            if (commit != nullptr && commits_are_answered) {
                manager.on_fact(exchange::revocation_committed{commit->ticket}, time());
            }
        });
    }
    void take(exchange::outbound_request& request) {
        sent.emplace(request);
        heartbeats.push_back(*request.body.get_if<heartbeat>());
        sent_by = heartbeats.back().member_id;
    }
    void take(boundary::notice& notice) { notices.push_back(std::move(notice)); }
    void take(boundary::completion& completion) { completions.push_back(std::move(completion)); }
    void take(exchange::stage_finished& stage) { stages.push_back(std::move(stage)); }
    void take(exchange::connection_wanted& connection) { wanted.push_back(connection); }
    void take(boundary::completed_fetch&) { ADD_FAILURE() << "a member fetches nothing"; }
    void take(boundary::slot_updates&) { ADD_FAILURE() << "a member owns no slot"; }
    void take(boundary::buffer_recall&) { ADD_FAILURE() << "a member buffers nothing"; }

    // ---- the application
    boundary::operation_token token() { return boundary::operation_token(next_token++); }
    void subscribe(const boundary::command::subscribe& command) {
        manager.on_command(command, token(), base::never, time());
        turn();
    }
    void subscribe(std::vector<std::string> topics, bool listener = false) {
        boundary::command::subscribe command;
        command.topics = std::move(topics);
        command.has_listener = listener;
        subscribe(command);
    }
    boundary::operation_token unsubscribe(base::duration timeout = 60s) {
        const auto mine = token();
        manager.on_command(boundary::command::unsubscribe{}, mine, now + timeout, time());
        turn();
        return mine;
    }
    void assign_by_hand() {
        manager.on_command(boundary::command::assign{}, token(), base::never, time());
        turn();
    }
    void enter_poll() {
        manager.on_checkpoint({.changed = {}, .last_poll = now, .inside_poll = true}, time());
        turn();
    }
    void leave_poll() {
        manager.on_checkpoint({.changed = {}, .last_poll = now, .inside_poll = false}, time());
        turn();
    }
    void answer_callback(boundary::callback_id id, std::optional<error> failure = {}) {
        manager.on_command(boundary::command::callback_finished{id, std::move(failure)}, boundary::no_operation,
                           base::never, time());
        turn();
    }
    void close(close_stage stage, base::duration budget = 5s,
               boundary::command::leave_option leave = boundary::command::leave_option::by_default) {
        by_hand.lifecycle.change() = {.stage = stage, .leave = leave, .stage_deadline = now + budget};
        turn();
    }

    // ---- the coordinator
    void answer(const heartbeat_answer& body) {
        manager.on_response(answer_to(*sent, body), time());
        turn();
    }
    void answer(told what) {
        heartbeat_answer body;
        body.member_id = sent_by;
        body.member_epoch = member_epoch(what.epoch);
        body.heartbeat_interval_ms = static_cast<std::int32_t>(heartbeat_interval / 1ms);
        if (what.target) {
            auto& assignment = body.assignment.emplace();
            for (const auto& [id, partitions] : *what.target) {
                auto& topic = assignment.topic_partitions.emplace_back();
                topic.topic_id = id;
                for (const auto partition : partitions) topic.partitions.emplace_back(partition);
            }
        }
        answer(body);
    }
    void refuse(broker_error why, std::optional<std::string> text = {}) {
        heartbeat_answer body;
        body.error_code = why;
        body.error_message = std::move(text);
        answer(body);
    }
    void fail(request_failure::kind how) {
        manager.on_response(failure_of(*sent, how), time());
        turn();
    }

    // Joined, owns these, the group knows; nothing is left in the lists.
    void become_stable(std::vector<std::int32_t> partitions = {0, 1}, bool listener = false) {
        subscribe({"orders"}, listener);
        leave_poll();
        answer({.epoch = 1, .target = {{{orders, std::move(partitions)}}}});
        for (const auto& asked : callbacks()) answer_callback(asked.id);
        if (manager.state_name() == "acknowledging") answer({.epoch = 1});
        EXPECT_EQ(manager.state_name(), "stable");
        forget();
    }
    void forget() {
        facts.clear();
        heartbeats.clear();
        notices.clear();
        completions.clear();
        stages.clear();
        wanted.clear();
    }

    const exchange::member_view& view() const { return manager.view_source().get(); }
    std::vector<callback> callbacks() const { return only<callback>(notices); }
    std::vector<error> errors() const {
        std::vector<error> raised;
        for (const auto& notice : only<boundary::error_raised>(notices)) raised.push_back(notice.reason);
        return raised;
    }
    template <class Fact>
    std::vector<Fact> told_others() const {
        return only<Fact>(facts);
    }
    // In the order in which others hear of a change of what is owned.
    std::vector<std::string> order_of_facts() const {
        std::vector<std::string> names;
        for (const auto& fact : facts) {
            if (std::holds_alternative<exchange::fence_wanted>(fact)) names.emplace_back("fence");
            if (std::holds_alternative<exchange::revocation_commit_wanted>(fact)) names.emplace_back("commit");
            if (std::holds_alternative<exchange::partitions_gone>(fact)) names.emplace_back("gone");
            if (std::holds_alternative<exchange::assignment_changed>(fact)) names.emplace_back("assignment");
            if (std::holds_alternative<exchange::callback_acknowledged>(fact)) names.emplace_back("acknowledged");
        }
        return names;
    }
};

inline partitions orders_partitions(std::initializer_list<std::int32_t> numbers) {
    partitions made;
    for (const auto number : numbers) made.push_back({"orders", number});
    return made;
}

// Of what a heartbeat says is owned, the partitions of one topic; none if it says nothing of what is owned.
inline std::optional<std::vector<std::int32_t>> owned_in(const heartbeat& said, protocol::topic_id topic = orders) {
    if (!said.topic_partitions) return std::nullopt;
    std::vector<std::int32_t> numbers;
    for (const auto& entry : *said.topic_partitions) {
        if (entry.topic_id != topic) continue;
        for (const auto partition : entry.partitions) numbers.push_back(partition.value());
    }
    return numbers;
}

using numbers = std::vector<std::int32_t>;
using texts = std::vector<std::string>;

}  // namespace strandline::core::group::consumer
