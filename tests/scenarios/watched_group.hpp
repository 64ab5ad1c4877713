// What scenarios of groups look at: heartbeats and commits as the coordinator saw them, and programs that most of them
// run.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "protocol/api_key.hpp"
#include "protocol/broker_error.hpp"
#include "protocol/codec.hpp"
#include "protocol/messages/consumer_group_heartbeat.hpp"
#include "protocol/messages/offset_commit.hpp"
#include "testkit/simulator/world.hpp"

namespace strandline::testkit::sim::scenarios {

using namespace std::chrono_literals;

// As faults and plans name them.
constexpr std::int32_t number(protocol::api_key api) { return static_cast<std::int32_t>(api); }
constexpr std::int32_t number(protocol::broker_error error) { return static_cast<std::int32_t>(error); }

// Every request of one kind, with the instant at which a broker got it.
template <class Request>
class request_watch {
public:
    struct seen {
        base::duration at;
        std::string client_id;
        Request said;
    };

    explicit request_watch(world& where) {
        where.intercept(Request::key, [this, &where](const fake::request_seen& request) {
            if (auto said = protocol::decode<Request>(request.body, request.header.api_version)) {
                all.push_back({where.elapsed(), request.header.client_id.value_or(""), *std::move(said)});
            }
            return fake::intercepted{};
        });
    }

    std::vector<seen> all;
};

using heartbeat_watch = request_watch<protocol::messages::consumer_group_heartbeat_request>;
using commit_watch = request_watch<protocol::messages::offset_commit_request>;

inline consumer_config member_of(const std::string& group) {
    return {.group_id = group, .auto_offset_reset = offset_reset::earliest};
}

// Reads all there is, as most programs do, until it is told to close; then closes within `closing`.
struct reader_orders {
    bool close = false;
    std::chrono::milliseconds closing = 10s;
    group_membership membership = group_membership::by_default;
    // What came of it.
    bool closed = false;
    base::duration close_took{};
    close_report report;
};

inline program reading(reader_orders& orders, coroutine_listener* listener = nullptr) {
    return [&orders, listener](application& self) -> task<> {
        coroutine_listener_handle heard;
        if (listener) heard = coroutine_listener_handle(*listener);
        co_await self.consumer().subscribe("orders", heard);
        while (!orders.close) {
            auto polled = co_await self.consumer().try_poll(200ms);
            if (!polled) continue;
            for (const auto& record : *polled) self.took(record);
        }
        const auto begun = self.now();
        orders.report = co_await self.consumer().close(orders.closing, orders.membership);
        orders.close_took = self.now() - begun;
        orders.closed = true;
    };
}

}  // namespace strandline::testkit::sim::scenarios
