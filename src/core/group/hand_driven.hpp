// For unit tests: what a manager is given, with time, facts and connections set by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/failure_cause.hpp"
#include "core/exchange/group_view.hpp"
#include "core/exchange/lifecycle_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/wait_reason.hpp"
#include "protocol/codec.hpp"

namespace strandline::core::group {

inline kernel::reason backing_off_after(protocol::broker_error why) {
    return exchange::because(exchange::wait_reason::backoff, exchange::failure_cause(why).subject());
}

class hand_set_connections final : public exchange::connections_view {
public:
    std::map<std::pair<protocol::broker_id, exchange::connection_role>, exchange::readiness> states;
    std::map<protocol::api_key, std::int16_t> newest_versions;  // of every broker; none: it lacks the API
    std::optional<protocol::broker_id> any;
    base::instant quiet_until = base::instant::min();

    exchange::readiness of(protocol::broker_id broker, exchange::connection_role role) const override {
        const auto found = states.find({broker, role});
        return found == states.end() ? exchange::readiness{} : found->second;
    }
    std::optional<std::int16_t> usable_version(protocol::broker_id, protocol::api_key api,
                                               std::int16_t cap) const override {
        const auto found = newest_versions.find(api);
        if (found == newest_versions.end()) return std::nullopt;
        return std::min(found->second, cap);
    }
    std::optional<protocol::broker_id> any_broker(exchange::connection_role, base::instant) const override {
        return any;
    }
    base::instant throttled_until(protocol::broker_id, exchange::connection_role) const override { return quiet_until; }
};

struct hand_driven {
    boundary::core_config config;
    base::seeded_random random{1};
    exchange::id_source ids;
    kernel::fact_queue<exchange::fact> facts;
    kernel::view_log views;
    hand_set_connections connections;
    kernel::versioned<exchange::connections_handle> connections_view{exchange::view::connections, views,
                                                                     exchange::connections_handle{&connections}};
    kernel::versioned<exchange::cluster_view> cluster{exchange::view::cluster, views};
    kernel::versioned<exchange::lifecycle_view> lifecycle{exchange::view::lifecycle, views};
    kernel::versioned<exchange::coordinator_view> coordinator{exchange::view::coordinator, views};

    explicit hand_driven(boundary::core_config configured = {}) : config(std::move(configured)) {}

    exchange::manager_context context() { return {config, random, ids, facts, views}; }

    void set(protocol::broker_id broker, exchange::connection_role role, exchange::readiness::state state) {
        connections.states[{broker, role}].is = state;
        connections_view.change();
    }

    // What was emitted since last asked.
    std::vector<exchange::fact> take_facts() {
        std::vector<exchange::fact> taken;
        facts.drain([&](exchange::fact fact) { taken.push_back(std::move(fact)); });
        return taken;
    }
};

template <class Wanted, class Variant>
std::vector<Wanted> only(const std::vector<Variant>& from) {
    std::vector<Wanted> found;
    for (const auto& one : from) {
        if (const auto* wanted = std::get_if<Wanted>(&one)) found.push_back(*wanted);
    }
    return found;
}

// What is needed to answer a request that was put out.
struct sent_request {
    exchange::request_id id;
    kernel::manager_index owner;
    std::uint16_t operation;
    protocol::broker_id broker;
    exchange::connection_role role;
    std::int16_t version;
    base::instant expires_at;

    explicit sent_request(const exchange::outbound_request& request)
        : id(request.id),
          owner(request.owner),
          operation(request.operation),
          broker(request.broker),
          role(request.role),
          version(request.version),
          expires_at(request.expires_at) {}
};

// A whole plan phase of one manager: everything it puts out until it waits, and what it waits for then.
struct planned {
    std::vector<exchange::output> outputs;
    kernel::await_set waits{kernel::awaited::command()};
    kernel::reason why;
    bool missed_an_edge = false;

    template <class Wanted>
    std::vector<const Wanted*> all() const {
        std::vector<const Wanted*> found;
        for (const auto& one : outputs) {
            if (const auto* wanted = std::get_if<Wanted>(&one)) found.push_back(wanted);
        }
        return found;
    }
    template <class Body>
    std::vector<Body> requests() const {
        std::vector<Body> found;
        for (const auto* request : all<exchange::outbound_request>()) {
            if (const auto* body = request->body.get_if<Body>()) found.push_back(*body);
        }
        return found;
    }
};

template <class Manager>
planned plan_of(Manager& manager, kernel::view_log& views, exchange::turn_time time) {
    constexpr int limit = 100;
    planned result;
    for (int asked = 0; asked < limit; ++asked) {
        static_cast<void>(views.take_read());
        auto answer = manager.plan(time);
        if (!answer.is_progress()) {
            result.waits = answer.wait();
            result.why = answer.why();
            result.missed_an_edge = (views.take_read() & ~answer.wait().views()) != 0;
            return result;
        }
        for (auto& output : std::move(answer).take_outputs()) result.outputs.push_back(std::move(output));
    }
    throw std::logic_error("the manager never waits");
}

// The answer to `request`, as it comes from the wire.
template <class Response>
exchange::response answer_to(const sent_request& request, const Response& body) {
    protocol::writer out;
    if (!protocol::encode(out, body, request.version)) throw std::logic_error("the answer cannot be encoded");
    return {.id = request.id,
            .owner = request.owner,
            .operation = request.operation,
            .broker = request.broker,
            .version = request.version,
            .body = std::move(out).take(),
            .took = {}};
}

inline exchange::response failure_of(const sent_request& request, exchange::request_failure::kind how) {
    return {.id = request.id,
            .owner = request.owner,
            .operation = request.operation,
            .broker = request.broker,
            .version = request.version,
            .body = tl::unexpected(exchange::request_failure{how, {}}),
            .took = {}};
}

}  // namespace strandline::core::group
