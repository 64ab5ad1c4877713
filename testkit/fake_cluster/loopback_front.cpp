#include "testkit/fake_cluster/loopback_front.hpp"

#include <array>
#include <deque>
#include <exception>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_map>

#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

namespace strandline::testkit::fake {

namespace net = boost::asio;
using boost::system::error_code;
using net::ip::tcp;

namespace {

base::instant now() {
    return base::instant(
        std::chrono::duration_cast<base::duration>(std::chrono::steady_clock::now().time_since_epoch()));
}

base::wall_time wall() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

}  // namespace

class loopback_front::server {
public:
    server(const cluster_options& options, std::uint16_t first_port) : core_(options), timer_(context_) {
        for (const auto& [id, broker] : core_.cluster().brokers()) {
            auto& acceptor = acceptors_.emplace(id, tcp::acceptor(context_)).first->second;
            listen(acceptor, acceptors_.size() == 1 ? first_port : std::uint16_t{0});
            core_.cluster().find_broker(id)->port = acceptor.local_endpoint().port();
            accept(id);
        }
        thread_ = std::thread([this] { context_.run(); });
    }

    ~server() {
        net::post(context_, [this] { shut(); });
        thread_.join();
    }
    server(const server&) = delete;
    server& operator=(const server&) = delete;

    void with_core(const std::function<void(fake_cluster_core&, base::instant, base::wall_time)>& change) {
        std::promise<void> done;
        net::post(context_, [&] {
            try {
                change(core_, now(), wall());
                core_.look_again(now(), wall());
                after_input();
                done.set_value();
            } catch (...) {
                done.set_exception(std::current_exception());
            }
        });
        done.get_future().get();
    }

private:
    struct client {
        client(net::io_context& context, connection_id of) : id(of), socket(context) {}
        connection_id id;
        tcp::socket socket;
        std::array<std::byte, std::size_t{64} * 1024> incoming{};
        std::deque<base::shared_bytes> unsent;
        bool close_when_sent = false;
        bool dead = false;
    };
    using client_ref = std::shared_ptr<client>;

    // Boost's own exception is no std::system_error.
    static void listen(tcp::acceptor& acceptor, std::uint16_t port) {
        const tcp::endpoint endpoint(net::ip::address_v4::loopback(), port);
        error_code failure;
        acceptor.open(endpoint.protocol(), failure);
        if (!failure) acceptor.set_option(net::socket_base::reuse_address(true), failure);
        if (!failure) acceptor.bind(endpoint, failure);
        if (!failure) acceptor.listen(net::socket_base::max_listen_connections, failure);
        if (failure) throw std::system_error(failure, "cannot listen on port " + std::to_string(port));
    }

    void accept(protocol::broker_id broker) {
        auto made = std::make_shared<client>(context_, connection_id(++last_id_));
        acceptors_.at(broker).async_accept(made->socket, [this, broker, made](const error_code& failure) {
            if (failure == net::error::operation_aborted) return;
            // A stopped broker's port stays ours, so that it is the same when it comes back; whoever connects is hung
            // up on.
            if (!failure && core_.on_accept(made->id, broker)) {
                error_code ignored;
                made->socket.set_option(tcp::no_delay(true), ignored);
                clients_.emplace(made->id, made);
                read(made);
            }
            accept(broker);
        });
    }

    void read(const client_ref& from) {
        from->socket.async_read_some(
            net::buffer(from->incoming), [this, from](const error_code& failure, std::size_t count) {
                if (from->dead) return;
                if (failure) {
                    drop(from);
                    core_.on_closed(from->id);
                } else {
                    core_.on_bytes(from->id, base::bytes_view(from->incoming).first(count), now(), wall());
                    read(from);
                }
                after_input();
            });
    }

    // Carries out what the core has put out, and arms its next deadline.
    void after_input() {
        for (auto& order : core_.take_outgoing()) {
            const auto found = clients_.find(order.to);
            if (found == clients_.end()) continue;
            const client_ref to = found->second;
            if (order.close) {
                to->close_when_sent = true;
                if (to->unsent.empty()) drop(to);
                continue;
            }
            to->unsent.push_back(std::move(order.bytes));
            if (to->unsent.size() == 1) write(to);
        }
        arm();
    }

    void write(const client_ref& to) {
        const auto& first = to->unsent.front();
        net::async_write(to->socket, net::buffer(first.data(), first.size()),
                         [this, to](const error_code& failure, std::size_t) {
                             if (to->dead) return;
                             if (failure) {
                                 drop(to);
                                 core_.on_closed(to->id);
                                 return;
                             }
                             to->unsent.pop_front();
                             if (!to->unsent.empty()) {
                                 write(to);
                             } else if (to->close_when_sent) {
                                 drop(to);
                             }
                         });
    }

    void drop(const client_ref& gone) {
        gone->dead = true;
        error_code ignored;
        gone->socket.close(ignored);
        clients_.erase(gone->id);
    }

    void arm() {
        const auto due = core_.next_deadline();
        if (due == armed_) return;
        armed_ = due;
        if (due == base::never) {
            timer_.cancel();
            return;
        }
        timer_.expires_at(std::chrono::steady_clock::time_point(
            std::chrono::duration_cast<std::chrono::steady_clock::duration>(due.time_since_epoch())));
        timer_.async_wait([this](const error_code& failure) {
            if (failure) return;
            armed_ = base::never;
            core_.on_time(now(), wall());
            after_input();
        });
    }

    void shut() {
        timer_.cancel();
        for (auto& [id, acceptor] : acceptors_) acceptor.close();
        while (!clients_.empty()) drop(client_ref(clients_.begin()->second));
        work_.reset();
    }

    fake_cluster_core core_;
    net::io_context context_{1};
    std::optional<net::executor_work_guard<net::io_context::executor_type>> work_{context_.get_executor()};
    net::steady_timer timer_;
    base::instant armed_ = base::never;
    std::map<protocol::broker_id, tcp::acceptor> acceptors_;
    std::unordered_map<connection_id, client_ref> clients_;
    std::uint64_t last_id_ = 0;
    std::thread thread_;
};

loopback_front::loopback_front(const cluster_options& options, std::uint16_t first_port)
    : server_(std::make_unique<server>(options, first_port)) {}

loopback_front::~loopback_front() = default;

void loopback_front::with_core(const std::function<void(fake_cluster_core&, base::instant, base::wall_time)>& change) {
    server_->with_core(change);
}

}  // namespace strandline::testkit::fake
