#include "asio/cares_resolver.hpp"

#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <sys/socket.h>

#include <ares.h>
#include <boost/asio/post.hpp>

namespace strandline::asio {

namespace net = boost::asio;

namespace {

// The library's own start-up must happen once in a process and before any channel.
bool library_ready() {
    static const bool ready = ares_library_init(ARES_LIB_INIT_ALL) == ARES_SUCCESS;
    return ready;
}

std::string text_of(const sockaddr* address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* raw = address->sa_family == AF_INET
                          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(address)->sin_addr)
                          : static_cast<const void*>(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
    return inet_ntop(address->sa_family, raw, text.data(), text.size()) ? std::string(text.data()) : std::string();
}

}  // namespace

struct cares_resolver::query {
    cares_resolver* resolver;
    std::shared_ptr<bool> alive;
    core::connection::query_id id;
    std::uint16_t port;
};

cares_resolver::cares_resolver(net::io_context& context) : context_(context), timer_(context) {}

cares_resolver::~cares_resolver() { shut(); }

bool cares_resolver::open_channel() {
    if (channel_) return true;
    if (!library_ready()) return false;
    ares_options options{};
    options.sock_state_cb = &cares_resolver::on_socket_state;
    options.sock_state_cb_data = this;
    return ares_init_options(&channel_, &options, ARES_OPT_SOCK_STATE_CB) == ARES_SUCCESS;
}

void cares_resolver::resolve(core::connection::query_id id, const core::boundary::host_port& name) {
    if (!open_channel()) return report({id, {}, "the resolver could not be started"});
    ares_addrinfo_hints hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    auto* argument = new query{this, alive_, id, name.port};
    ares_getaddrinfo(
        channel_, name.host.c_str(), nullptr, &hints,
        [](void* given, int status, int, ares_addrinfo* found) {
            const std::unique_ptr<query> asked(static_cast<query*>(given));
            core::connection::name_resolved answer{asked->id, {}, {}};
            if (status == ARES_SUCCESS && found) {
                for (const auto* node = found->nodes; node; node = node->ai_next) {
                    auto text = text_of(node->ai_addr);
                    if (!text.empty()) answer.addresses.push_back({std::move(text), asked->port});
                }
            }
            if (answer.addresses.empty()) answer.reason = ares_strerror(status == ARES_SUCCESS ? ARES_ENODATA : status);
            if (found) ares_freeaddrinfo(found);
            if (*asked->alive) asked->resolver->report(std::move(answer));
        },
        argument);
    arm_timer();
}

void cares_resolver::report(core::connection::name_resolved answer) {
    // c-ares may answer inside resolve(); the reactor is told after the call has returned.
    net::post(context_, [this, alive = alive_, answer = std::move(answer)]() mutable {
        if (*alive) events_->on_network(std::move(answer));
    });
}

void cares_resolver::on_socket_state(void* self, int socket, int readable, int writable) {
    auto& resolver = *static_cast<cares_resolver*>(self);
    if (!readable && !writable) {
        resolver.watches_.erase(socket);
        return;
    }
    auto& watched = resolver.watches_[socket];
    if (!watched) watched = std::make_shared<watch>(resolver.context_, socket);
    watched->wants_read = readable != 0;
    watched->wants_write = writable != 0;
    resolver.await_socket(socket, watched);
}

void cares_resolver::await_socket(int socket, const std::shared_ptr<watch>& watched) {
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

void cares_resolver::arm_timer() {
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

void cares_resolver::shut() noexcept {
    *alive_ = false;
    timer_.cancel();
    if (channel_) ares_destroy(std::exchange(channel_, nullptr));
    watches_.clear();
}

}  // namespace strandline::asio
