// For unit tests: what the ports report, kept in the order in which it came.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "reactor/ports.hpp"

namespace strandline::asio {

class recorded_events final : public reactor::port_events {
public:
    void on_network(core::connection::network_event event) override { network.push_back(std::move(event)); }
    std::span<std::byte> receive_room(core::connection::connection_id) override { return room; }
    std::size_t bytes_missing(core::connection::connection_id) override { return missing; }
    void on_received(core::connection::connection_id, std::size_t bytes) override {
        received += base::as_text({room.data(), bytes});
        if (when_received) when_received();
    }

    template <class Event>
    std::vector<Event> all() const {
        std::vector<Event> found;
        for (const auto& one : network) {
            if (const auto* event = std::get_if<Event>(&one)) found.push_back(*event);
        }
        return found;
    }

    std::vector<core::connection::network_event> network;
    std::string received;
    std::vector<std::byte> room{std::size_t{64} * 1024};
    std::size_t missing = 0;
    std::function<void()> when_received;
};

// Lets things happen until there is what is looked for. False: they did not happen in any time that is worth waiting.
template <class There>
bool happens(boost::asio::io_context& context, const There& there) {
    context.restart();
    while (!there()) {
        if (context.run_one_for(std::chrono::seconds(20)) == 0) return false;
    }
    return true;
}

}  // namespace strandline::asio
