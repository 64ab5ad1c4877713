// Plain TCP over Asio, for the reactor's transport port. Lives on the thread that runs the io_context.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "reactor/ports.hpp"

namespace strandline::asio {

class asio_transport final : public reactor::transport {
public:
    static constexpr std::size_t usual_read_share = std::size_t{1} << 20U;

    // `read_share`: what is read from one connection before others have their turn.
    explicit asio_transport(boost::asio::io_context& context, std::size_t read_share = usual_read_share)
        : context_(context), read_share_(read_share) {}
    ~asio_transport() override { shut(); }
    // Before anything else is called.
    void report_to(reactor::port_events& events) noexcept { events_ = &events; }

    void open(core::connection::connection_id id, const core::connection::ip_endpoint& to) override;
    void write(core::connection::connection_id id, base::shared_bytes bytes) override;
    void close(core::connection::connection_id id) override;
    // Closes every socket; nothing is reported any more.
    void shut() noexcept;

private:
    using connection_id = core::connection::connection_id;
    struct link {
        explicit link(boost::asio::io_context& context, connection_id of) : id(of), socket(context) {}
        connection_id id;
        boost::asio::ip::tcp::socket socket;
        std::deque<base::shared_bytes> unsent;
        std::size_t sent_of_first = 0;
        bool awaits_room_to_write = false;
        bool dead = false;
        int low_water = 1;  // bytes that have to be there before the socket counts as readable
    };
    using link_ref = std::shared_ptr<link>;

    void on_connected(const link_ref& to, const boost::system::error_code& failure);
    void await_bytes(const link_ref& from);
    void read(const link_ref& from);
    void flush(const link_ref& to);
    // Reports the end of a connection, after the current call has returned.
    void fail(const link_ref& broken, const std::string& reason);
    void drop(const link_ref& gone) noexcept;

    boost::asio::io_context& context_;
    std::size_t read_share_;
    reactor::port_events* events_ = nullptr;
    std::unordered_map<connection_id, link_ref> links_;
};

}  // namespace strandline::asio
