// What a manager needs around it in a unit test: views it can read, connections as told, facts and outputs to look at.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "base/random_source.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/group_view.hpp"
#include "core/exchange/lifecycle_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/kernel/facts.hpp"
#include "protocol/codec.hpp"

namespace strandline::core::exchange::test {

using namespace std::chrono_literals;

inline constexpr base::instant t0{1000s};
inline constexpr base::wall_time wall0{1'700'000'000'000ms};

inline protocol::topic_id id_of(std::uint8_t number) {
    protocol::topic_id id;
    id.octets[15] = number;
    return id;
}

// Every broker ready, every API at its newest version, unless told otherwise.
class told_connections final : public connections_view {
public:
    readiness of(protocol::broker_id broker, connection_role role) const override {
        const auto it = states.find({broker, role});
        return {it == states.end() ? everywhere : it->second, base::never};
    }
    std::optional<std::int16_t> usable_version(protocol::broker_id, protocol::api_key api,
                                               std::int16_t cap) const override {
        const auto it = newest.find(api);
        if (it == newest.end()) return std::nullopt;
        return std::min(it->second, cap);
    }
    std::optional<protocol::broker_id> any_broker(connection_role, base::instant) const override { return any; }
    base::instant throttled_until(protocol::broker_id broker, connection_role) const override {
        const auto it = throttled.find(broker);
        return it == throttled.end() ? base::instant::min() : it->second;
    }

    readiness::state everywhere = readiness::state::ready;
    std::map<std::pair<protocol::broker_id, connection_role>, readiness::state> states;
    std::map<protocol::broker_id, base::instant> throttled;
    std::optional<protocol::broker_id> any{1};
    std::map<protocol::api_key, std::int16_t> newest{{protocol::api_key::fetch, 18},
                                                     {protocol::api_key::list_offsets, 11},
                                                     {protocol::api_key::offset_for_leader_epoch, 4},
                                                     {protocol::api_key::offset_commit, 10},
                                                     {protocol::api_key::offset_fetch, 10}};
};

// Outputs by kind, in the order in which they came.
struct gathered_outputs {
    std::vector<outbound_request> requests;
    std::vector<connection_wanted> connections;
    std::vector<boundary::completion> completions;
    std::vector<boundary::notice> notices;
    std::vector<boundary::completed_fetch> fetched;
    std::vector<boundary::slot_update> updates;
    std::vector<boundary::buffer_recall> recalls;
    std::vector<stage_finished> stages;

    void add(output made) {
        std::visit(
            [this]<class Output>(Output& what) {
                if constexpr (std::is_same_v<Output, boundary::slot_updates>) {
                    updates.insert(updates.end(), what.which.begin(), what.which.end());
                } else {
                    list<Output>().push_back(std::move(what));
                }
            },
            made);
    }

private:
    template <class Output>
    std::vector<Output>& list() {
        if constexpr (std::is_same_v<Output, outbound_request>)
            return requests;
        else if constexpr (std::is_same_v<Output, connection_wanted>)
            return connections;
        else if constexpr (std::is_same_v<Output, boundary::completion>)
            return completions;
        else if constexpr (std::is_same_v<Output, boundary::notice>)
            return notices;
        else if constexpr (std::is_same_v<Output, boundary::completed_fetch>)
            return fetched;
        else if constexpr (std::is_same_v<Output, boundary::buffer_recall>)
            return recalls;
        else
            return stages;
    }
};

class recorded_facts final : public kernel::fact_sink<fact> {
public:
    void emit(fact what) override { seen.push_back(std::move(what)); }

    template <class Fact>
    std::vector<Fact> take() {
        std::vector<Fact> taken;
        for (auto& one : seen) {
            if (auto* what = std::get_if<Fact>(&one)) taken.push_back(*what);
        }
        std::erase_if(seen, [](const fact& one) { return std::holds_alternative<Fact>(one); });
        return taken;
    }
    std::vector<fact> seen;
};

template <class Message>
base::shared_bytes bytes_of(const Message& message, std::int16_t version) {
    protocol::writer out;
    const auto encoded = protocol::encode(out, message, version);
    EXPECT_TRUE(encoded) << encoded.error().to_string();
    return std::move(out).take();
}

// The answer to `request`.
template <class Message>
response answer_to(const outbound_request& request, const Message& message, base::duration took = 1ms) {
    return {request.id,
            request.owner,
            request.operation,
            request.broker,
            request.version,
            bytes_of(message, request.version),
            took};
}
inline response no_answer_to(const outbound_request& request,
                             request_failure::kind why = request_failure::kind::disconnected) {
    return {request.id,
            request.owner,
            request.operation,
            request.broker,
            request.version,
            tl::unexpected(request_failure{why, "told so"}),
            {}};
}

struct manager_test_rig {
    manager_test_rig() {
        connections.change().connections = &network;
        context.emplace(manager_context{config, random, ids, facts, views});
        auto& known = cluster.change();
        for (const auto broker : {1, 2, 3}) {
            known.brokers.emplace(broker, broker_address{protocol::broker_id(broker), {"kafka", 9092}, ""});
        }
        known.answers = 1;
    }

    turn_time time() const { return {now, wall0 + std::chrono::duration_cast<std::chrono::milliseconds>(now - t0)}; }

    // Partitions 0 to count - 1 with one leader.
    void know_topic(const std::string& name, std::int32_t count, std::int32_t leader = 1, std::int32_t epoch = 5,
                    std::uint8_t id = 1) {
        auto& known = cluster.change();
        auto& topic = known.topics[name];
        topic = {name, id == 0 ? protocol::topic_id{} : id_of(id), false, {}, {}};
        for (std::int32_t index = 0; index < count; ++index) {
            partition_leadership leadership;
            leadership.partition = protocol::partition_index(index);
            leadership.leader = protocol::broker_id(leader);
            leadership.epoch = protocol::leader_epoch(epoch);
            topic.partitions.push_back(std::move(leadership));
        }
    }

    // Asks until the manager waits; looks whether it awaits each view it read, and whether its plans emitted facts.
    template <class Manager>
    gathered_outputs plan(Manager& manager) {
        gathered_outputs outputs;
        const auto facts_before = facts.seen.size();
        for (int asked = 0; asked < 20; ++asked) {
            static_cast<void>(views.take_read());
            auto answer = manager.plan(time());
            if (!answer.is_progress()) {
                EXPECT_EQ(views.take_read() & ~answer.wait().views(), 0U) << "a view was read and is not awaited";
                EXPECT_EQ(facts.seen.size(), facts_before) << "plans emit no facts";
                EXPECT_GT(answer.wait().wake_at(), now);
                wake_at = answer.wait().wake_at();
                awaits_space = answer.wait().awaits_space();
                awaits_queue_space = answer.wait().awaits(kernel::input_kind::queue_space);
                why = answer.why();
                return outputs;
            }
            for (auto& made : std::move(answer).take_outputs()) outputs.add(std::move(made));
        }
        ADD_FAILURE() << "the manager does not come to rest";
        return outputs;
    }

    boundary::core_config config;
    base::seeded_random random{1};
    id_source ids;
    recorded_facts facts;
    kernel::view_log views;
    told_connections network;
    std::optional<manager_context> context;
    kernel::versioned<cluster_view> cluster{view::cluster, views};
    kernel::versioned<connections_handle> connections{view::connections, views};
    kernel::versioned<coordinator_view> coordinator{view::coordinator, views};
    kernel::versioned<member_view> member{view::member, views};
    kernel::versioned<lifecycle_view> lifecycle{view::lifecycle, views};
    base::instant now = t0;

    // Of the last plan that waited.
    base::instant wake_at = base::never;
    bool awaits_space = false;
    bool awaits_queue_space = false;
    kernel::reason why;
};

}  // namespace strandline::core::exchange::test
