// Host names through c-ares, for the reactor's resolver port: no thread of its own, never blocks the one it has.
#pragma once

#include <memory>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "asio/cares_channel.hpp"
#include "reactor/ports.hpp"

namespace strandline::asio {

// A channel knows the DNS settings that it was opened with, and no others. Whenever a query has failed, the next one
// goes through a new channel: a program may start before its network does, and a laptop changes networks.
class cares_resolver final : public reactor::resolver {
public:
    explicit cares_resolver(boost::asio::io_context& context, name_settings settings = {});
    ~cares_resolver() override;
    cares_resolver(const cares_resolver&) = delete;
    cares_resolver& operator=(const cares_resolver&) = delete;
    // Before anything else is called.
    void report_to(reactor::port_events& events) noexcept { events_ = &events; }

    void resolve(core::connection::query_id id, const core::boundary::host_port& name) override;
    // Abandons every query; nothing is reported any more.
    void shut() noexcept;

private:
    struct query;
    static void on_end(void* given, int status, int timeouts, ares_addrinfo* found);
    void retire(const cares_channel& failed);
    void report(core::connection::name_resolved answer);

    boost::asio::io_context& context_;
    name_settings settings_;
    reactor::port_events* events_ = nullptr;
    std::unique_ptr<cares_channel> channel_;
    std::vector<std::unique_ptr<cares_channel>> retired_;  // until their last query has ended
    // Handlers of c-ares may outlive this object's interest in them.
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace strandline::asio
