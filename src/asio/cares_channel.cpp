#include "asio/cares_channel.hpp"

#include <chrono>
#include <sys/socket.h>
#include <utility>

#include <ares.h>

namespace strandline::asio {

namespace net = boost::asio;

namespace {

// The library's own start-up must happen once in a process and before any channel.
bool library_ready() {
    static const bool ready = ares_library_init(ARES_LIB_INIT_ALL) == ARES_SUCCESS;
    return ready;
}

}  // namespace

std::unique_ptr<cares_channel> cares_channel::open(net::io_context& context, const name_settings& settings) {
    if (!library_ready()) return nullptr;
    std::unique_ptr<cares_channel> made(new cares_channel(context));
    ares_options options{};
    int given = ARES_OPT_SOCK_STATE_CB;
    options.sock_state_cb = &cares_channel::on_socket_state;
    options.sock_state_cb_data = made.get();
    std::string file = settings.file;  // c-ares copies it
    if (!file.empty()) {
        options.resolvconf_path = file.data();
        given |= ARES_OPT_RESOLVCONF;
    }
    if (settings.port != 0) {
        options.udp_port = settings.port;
        given |= ARES_OPT_UDP_PORT;
    }
    if (ares_init_options(&made->channel_, &options, given) != ARES_SUCCESS) return nullptr;
    return made;
}

cares_channel::~cares_channel() {
    *alive_ = false;
    timer_.cancel();
    if (channel_) ares_destroy(std::exchange(channel_, nullptr));
}

void cares_channel::ask(const std::string& name, void (*on_end)(void*, int, int, ares_addrinfo*), void* argument) {
    ares_addrinfo_hints hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    ++in_flight_;
    ares_getaddrinfo(channel_, name.c_str(), nullptr, &hints, on_end, argument);
    arm_timer();
}

void cares_channel::on_socket_state(void* self, int socket, int readable, int writable) {
    auto& channel = *static_cast<cares_channel*>(self);
    if (!readable && !writable) {
        const auto closed = channel.watches_.extract(socket);
        // Now, and not when the handler that c-ares closes it in is over: by then the number may be another socket's.
        if (!closed.empty()) closed.mapped()->descriptor.release();
        return;
    }
    auto& watched = channel.watches_[socket];
    if (!watched) watched = std::make_shared<watch>(channel.context_, socket);
    watched->wants_read = readable != 0;
    watched->wants_write = writable != 0;
    channel.await_socket(socket, watched);
}

void cares_channel::await_socket(int socket, const std::shared_ptr<watch>& watched) {
    const auto await = [&](bool wanted, bool& pending, auto direction, bool read) {
        if (!wanted || pending) return;
        pending = true;
        watched->descriptor.async_wait(
            direction, [this, alive = alive_, socket, read, weak = std::weak_ptr<watch>(watched)](const auto& failure) {
                const auto still = weak.lock();
                if (!*alive || !still) return;
                (read ? still->reading : still->writing) = false;
                if (failure == net::error::operation_aborted) return;
                ares_process_fd(channel_, read ? socket : ARES_SOCKET_BAD, read ? ARES_SOCKET_BAD : socket);
                if (const auto found = watches_.find(socket); found != watches_.end() && found->second == still) {
                    await_socket(socket, still);
                }
                arm_timer();
            });
    };
    using descriptor = net::posix::stream_descriptor;
    await(watched->wants_read, watched->reading, descriptor::wait_read, true);
    await(watched->wants_write, watched->writing, descriptor::wait_write, false);
}

void cares_channel::arm_timer() {
    timeval wait{};
    if (!ares_timeout(channel_, nullptr, &wait)) {
        timer_.cancel();
        return;
    }
    timer_.expires_after(std::chrono::seconds(wait.tv_sec) + std::chrono::microseconds(wait.tv_usec));
    timer_.async_wait([this, alive = alive_](const auto& failure) {
        if (!*alive || failure) return;
        ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
        arm_timer();
    });
}

}  // namespace strandline::asio
