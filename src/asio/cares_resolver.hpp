// Host names through c-ares, for the reactor's resolver port: no thread of its own, never blocks the one it has.
#pragma once

#include <map>
#include <memory>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "reactor/ports.hpp"

struct ares_channeldata;

namespace strandline::asio {

class cares_resolver final : public reactor::resolver {
public:
    explicit cares_resolver(boost::asio::io_context& context);
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
    // A socket of c-ares, watched while c-ares wants it.
    struct watch {
        explicit watch(boost::asio::io_context& context, int socket) : descriptor(context, socket) {}
        ~watch() { descriptor.release(); }  // c-ares closes it itself
        boost::asio::posix::stream_descriptor descriptor;
        bool reading = false;
        bool writing = false;
        bool wants_read = false;
        bool wants_write = false;
    };

    bool open_channel();
    static void on_socket_state(void* self, int socket, int readable, int writable);
    void await_socket(int socket, const std::shared_ptr<watch>& watched);
    void arm_timer();
    void report(core::connection::name_resolved answer);

    boost::asio::io_context& context_;
    boost::asio::steady_timer timer_;
    reactor::port_events* events_ = nullptr;
    ares_channeldata* channel_ = nullptr;
    std::map<int, std::shared_ptr<watch>> watches_;
    // Handlers of c-ares may outlive this object's interest in them.
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace strandline::asio
