#include "asio/cares_resolver.hpp"

#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <string_view>
#include <sys/socket.h>
#include <utility>

#include <ares.h>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/asio/post.hpp>

namespace strandline::asio {

namespace {

std::string text_of(const sockaddr* address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* raw = address->sa_family == AF_INET
                          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(address)->sin_addr)
                          : static_cast<const void*>(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
    return inet_ntop(address->sa_family, raw, text.data(), text.size()) ? std::string(text.data()) : std::string();
}

bool is_localhost(std::string_view name) {
    if (name.ends_with('.')) name.remove_suffix(1);
    return boost::algorithm::iequals(name, "localhost") || boost::algorithm::iends_with(name, ".localhost");
}

}  // namespace

struct cares_resolver::query {
    cares_resolver* resolver;
    cares_channel* channel;
    std::shared_ptr<bool> alive;
    core::connection::query_id id;
    std::uint16_t port;
};

cares_resolver::cares_resolver(boost::asio::io_context& context, name_settings settings)
    : context_(context), settings_(std::move(settings)) {}

cares_resolver::~cares_resolver() { shut(); }

void cares_resolver::resolve(core::connection::query_id id, const core::boundary::host_port& name) {
    // RFC 6761, 6.3: no name server is asked for it. c-ares takes it from /etc/hosts, and a bare container may have
    // none.
    if (is_localhost(name.host)) return report({id, {{"127.0.0.1", name.port}, {"::1", name.port}}, {}});
    if (!channel_) channel_ = cares_channel::open(context_, settings_);
    if (!channel_) return report({id, {}, "the resolver could not be started"});
    channel_->ask(name.host, &cares_resolver::on_end, new query{this, channel_.get(), alive_, id, name.port});
}

void cares_resolver::on_end(void* given, int status, int /*timeouts*/, ares_addrinfo* found) {
    const std::unique_ptr<query> asked(static_cast<query*>(given));
    core::connection::name_resolved answer{asked->id, {}, {}};
    if (status == ARES_SUCCESS && found) {
        for (const auto* node = found->nodes; node; node = node->ai_next) {
            auto text = text_of(node->ai_addr);
            if (!text.empty()) answer.addresses.push_back({std::move(text), asked->port});
        }
    }
    if (found) ares_freeaddrinfo(found);
    if (!*asked->alive) return;
    asked->channel->on_ended();
    if (answer.addresses.empty()) {
        answer.reason = ares_strerror(status == ARES_SUCCESS ? ARES_ENODATA : status);
        asked->resolver->retire(*asked->channel);
    }
    asked->resolver->report(std::move(answer));
}

void cares_resolver::retire(const cares_channel& failed) {
    if (channel_.get() == &failed) retired_.push_back(std::move(channel_));
}

void cares_resolver::report(core::connection::name_resolved answer) {
    // c-ares may answer inside resolve(); the reactor is told after the call has returned. Nor may a channel go before
    // c-ares has returned.
    boost::asio::post(context_, [this, alive = alive_, answer = std::move(answer)]() mutable {
        if (!*alive) return;
        std::erase_if(retired_, [](const auto& channel) { return channel->is_idle(); });
        events_->on_network(std::move(answer));
    });
}

void cares_resolver::shut() noexcept {
    *alive_ = false;
    channel_.reset();
    retired_.clear();
}

}  // namespace strandline::asio
