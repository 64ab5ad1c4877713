// One channel of c-ares: the DNS settings as they were when it was opened, its sockets and its timer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

struct ares_channeldata;
struct ares_addrinfo;

namespace strandline::asio {

// Where names are asked for; by default as the machine says.
struct name_settings {
    std::string file;        // instead of /etc/resolv.conf
    std::uint16_t port = 0;  // instead of 53
};

class cares_channel {
public:
    // Null if there is none to be had.
    static std::unique_ptr<cares_channel> open(boost::asio::io_context& context, const name_settings& settings);
    // Ends every query with a failure. Not from inside one's end.
    ~cares_channel();
    cares_channel(const cares_channel&) = delete;
    cares_channel& operator=(const cares_channel&) = delete;

    // `on_end` is called once, as c-ares does; possibly in here. It says on_ended().
    void ask(const std::string& name, void (*on_end)(void*, int, int, ares_addrinfo*), void* argument);
    void on_ended() noexcept { --in_flight_; }
    bool is_idle() const noexcept { return in_flight_ == 0; }

private:
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

    explicit cares_channel(boost::asio::io_context& context) : context_(context), timer_(context) {}
    static void on_socket_state(void* self, int socket, int readable, int writable);
    void await_socket(int socket, const std::shared_ptr<watch>& watched);
    void arm_timer();

    boost::asio::io_context& context_;
    boost::asio::steady_timer timer_;
    ares_channeldata* channel_ = nullptr;
    std::size_t in_flight_ = 0;
    std::map<int, std::shared_ptr<watch>> watches_;
    // Handlers of Asio may outlive this object's interest in them.
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace strandline::asio
