#include "tests/bench/null_broker/null_broker.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "protocol/codec.hpp"
#include "protocol/messages/consumer_group_heartbeat.hpp"
#include "protocol/reader.hpp"
#include "tests/bench/clock.hpp"
#include "tests/bench/null_broker/classic_group.hpp"
#include "tests/bench/null_broker/control_answers.hpp"

namespace strandline::bench {
namespace {

int checked(int result, const char* what) {
    if (result < 0) throw std::system_error(errno, std::generic_category(), what);
    return result;
}

// Of either protocol; a joining one has the epoch zero.
bool is_heartbeat_of_member(base::bytes_view frame) {
    protocol::reader in(frame);
    const auto key = static_cast<protocol::api_key>(in.int16());
    if (key == protocol::api_key::heartbeat) return true;
    if (key != protocol::api_key::consumer_group_heartbeat) return false;
    const auto request = protocol::split_request(base::shared_bytes::copy_of(frame));
    if (!request) return false;
    const auto heartbeat = protocol::decode<protocol::messages::consumer_group_heartbeat_request>(
        request->body, request->header.api_version);
    return heartbeat && heartbeat->member_epoch.value() > 0;
}

}  // namespace

null_broker::null_broker(std::unique_ptr<log_source> source, paced_source* paced, const served_cluster& cluster,
                         std::int64_t interval)
    : source_(std::move(source)), paced_(paced), cluster_(cluster), interval_(interval) {
    epoll_ = checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
    listen();
    if (paced_) {
        timer_ = checked(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), "timerfd_create");
        watch(timer_, EPOLLIN, EPOLL_CTL_ADD);
    }
}

null_broker::~null_broker() {
    for (const int descriptor : {timer_, listener_, epoll_}) {
        if (descriptor >= 0) ::close(descriptor);
    }
}

void null_broker::listen() {
    listener_ = checked(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "socket");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    checked(::bind(listener_, generic, size), "bind");
    checked(::listen(listener_, SOMAXCONN), "listen");
    checked(::getsockname(listener_, generic, &size), "getsockname");
    cluster_.port = ntohs(address.sin_port);
    watch(listener_, EPOLLIN, EPOLL_CTL_ADD);
}

void null_broker::watch(int descriptor, std::uint32_t events, int operation) {
    epoll_event event{};
    event.events = events;
    event.data.fd = descriptor;
    checked(::epoll_ctl(epoll_, operation, descriptor, &event), "epoll_ctl");
}

void null_broker::run() {
    std::array<epoll_event, 64> events;
    while (true) {
        const int count =
            ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), milliseconds_to_next_deadline());
        for (int i = 0; i < count; ++i) {
            const auto& event = events[static_cast<std::size_t>(i)];
            const int descriptor = event.data.fd;
            if (descriptor == listener_) {
                accept_clients();
            } else if (descriptor == timer_) {
                grow();
            } else if (const auto client = clients_.find(descriptor); client != clients_.end()) {
                serve(*client->second, event.events);
            }
        }
        answer_waiting();
    }
}

void null_broker::accept_clients() {
    while (true) {
        const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket < 0) return;
        const int on = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        auto client = std::make_unique<client_connection>(socket);
        client->events = EPOLLIN;
        watch(socket, client->events, EPOLL_CTL_ADD);
        clients_.emplace(socket, std::move(client));
    }
}

void null_broker::grow() {
    std::uint64_t ticks = 0;
    if (::read(timer_, &ticks, sizeof ticks) <= 0) return;
    paced_->append();
    cluster_.end_offset = cluster_.committed_offset = paced_->end_offset(0);
}

void null_broker::serve(client_connection& client, std::uint32_t events) {
    bool open = true;
    if (events & EPOLLIN) {
        open = client.receive();
    } else if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) {
        open = false;
    }
    if (!open || !finish(client)) clients_.erase(client.socket());
}

// Sends what is to be sent, handles what has arrived, and waits for whatever comes next. Nothing is read while a
// request before it has not been answered in full.
bool null_broker::finish(client_connection& client) {
    if (!client.send() || !handle_frames(client)) return false;
    std::uint32_t events = client.waiting || client.is_mute || client.has_unsent() ? EPOLLRDHUP : EPOLLIN;
    if (client.has_unsent()) events |= EPOLLOUT;
    if (events != client.events) {
        client.events = events;
        watch(client.socket(), events, EPOLL_CTL_MOD);
    }
    return true;
}

bool null_broker::handle_frames(client_connection& client) {
    while (!client.waiting && !client.is_mute && !client.has_unsent()) {
        const auto frame = client.next_frame();
        if (!frame) return true;
        if (!handle(client, *frame) || !client.send()) return false;
    }
    return true;
}

bool null_broker::handle(client_connection& client, const base::shared_bytes& frame) {
    if (!cluster_.answers_heartbeats && is_heartbeat_of_member(frame.view())) {
        client.is_mute = true;
        return true;
    }
    if (auto answer = answer_classic_group(frame.view())) {
        client.queue(outgoing_frame(std::move(*answer)));
        return true;
    }
    const auto request = protocol::split_request(frame);
    if (!request) return false;
    if (request->header.api_key == protocol::api_key::fetch) return handle_fetch(client, *request);
    auto answer = answer_control(*request, cluster_);
    if (!answer) return false;
    client.queue(outgoing_frame(std::move(*answer)));
    return true;
}

bool null_broker::handle_fetch(client_connection& client, const protocol::headed<protocol::request_header>& request) {
    const auto decoded = protocol::decode<protocol::messages::fetch_request>(request.body, request.header.api_version);
    if (!decoded) return false;
    auto error = protocol::broker_error::none;
    asked_fetch asked{.version = request.header.api_version,
                      .correlation_id = request.header.correlation_id,
                      .max_bytes = decoded->max_bytes,
                      .deadline = monotonic_nanoseconds() + std::int64_t{decoded->max_wait_ms} * 1'000'000,
                      .full = decoded->session_epoch.value() <= 0,
                      .session = session_of(*decoded, error)};
    if (error != protocol::broker_error::none) {
        client.queue(refuse_fetch(asked, error));
        return true;
    }
    // The first fetch starts the clock, so that records do not pile up while nobody reads.
    if (paced_ && !std::exchange(growing_, true)) {
        const timespec every{interval_ / 1'000'000'000, interval_ % 1'000'000'000};
        const itimerspec schedule{every, every};
        checked(::timerfd_settime(timer_, 0, &schedule, nullptr), "timerfd_settime");
    }
    if (has_records(asked, *source_)) {
        client.queue(answer_fetch(asked, *source_));
    } else {
        client.waiting = std::move(asked);
    }
    return true;
}

std::shared_ptr<fetch_session> null_broker::session_of(const protocol::messages::fetch_request& request,
                                                       protocol::broker_error& error) {
    const auto epoch = request.session_epoch.value();
    std::shared_ptr<fetch_session> session;
    if (epoch <= 0) {
        // Both a request without a session and one that opens a session end the one they name.
        sessions_.erase(request.session_id);
        session = std::make_shared<fetch_session>(epoch < 0 ? 0 : ++last_session_);
        if (epoch == 0) sessions_.emplace(session->id(), session);
    } else if (const auto found = sessions_.find(request.session_id); found == sessions_.end()) {
        error = protocol::broker_error::fetch_session_id_not_found;
        return nullptr;
    } else if (found->second->epoch() + 1 != epoch) {
        error = protocol::broker_error::invalid_fetch_session_epoch;
        return nullptr;
    } else {
        session = found->second;
    }
    session->begin(std::max(epoch, 0));
    session->update(request);
    return session;
}

void null_broker::answer_waiting() {
    const auto now = monotonic_nanoseconds();
    std::vector<int> gone;
    for (auto& [socket, client] : clients_) {
        if (!client->waiting) continue;
        if (client->waiting->deadline > now && !(paced_ && has_records(*client->waiting, *source_))) continue;
        client->queue(answer_fetch(*client->waiting, *source_));
        client->waiting.reset();
        if (!finish(*client)) gone.push_back(socket);
    }
    for (const int socket : gone) clients_.erase(socket);
}

int null_broker::milliseconds_to_next_deadline() const {
    std::int64_t next = -1;
    for (const auto& [socket, client] : clients_) {
        if (client->waiting && (next < 0 || client->waiting->deadline < next)) next = client->waiting->deadline;
    }
    if (next < 0) return -1;
    const auto left = next - monotonic_nanoseconds();
    return left <= 0 ? 0 : static_cast<int>(left / 1'000'000 + 1);
}

int run_null_broker(options& given) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const auto mode = given.text("mode", "flood");
    const log_shape shape{.value_size = static_cast<std::size_t>(given.integer("value-size", 100)),
                          .codec = codec_named(given.text("codec", "none")),
                          .batch_bytes = static_cast<std::size_t>(given.integer("batch-bytes", 16 * 1024))};
    served_cluster cluster;
    cluster.partitions = static_cast<std::int32_t>(given.integer("partitions", 8));
    cluster.has_coordinator = given.text("coordinator", "available") != "unavailable";
    cluster.answers_heartbeats = given.text("heartbeats", "answered") != "unanswered";
    const auto interval = given.integer("interval-us", 1000) * 1000;
    const auto batch_records = given.integer("batch-records", 1);
    given.refuse_others();

    std::unique_ptr<log_source> source;
    paced_source* paced = nullptr;
    if (mode == "flood") {
        source = std::make_unique<flood_source>(shape);
    } else if (mode == "idle") {
        source = std::make_unique<empty_source>();
    } else if (mode == "paced") {
        auto growing = std::make_unique<paced_source>(batch_records);
        paced = growing.get();
        source = std::move(growing);
    } else {
        throw std::runtime_error("no mode is called '" + mode + "'");
    }
    null_broker broker(std::move(source), paced, cluster, interval);
    std::printf("port %d\n", broker.port());
    std::fflush(stdout);
    broker.run();
}

}  // namespace strandline::bench
