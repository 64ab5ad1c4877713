#include "asio/asio_transport.hpp"

#include <algorithm>

#include <boost/asio/post.hpp>

namespace strandline::asio {

namespace net = boost::asio;
using boost::system::error_code;
using net::ip::tcp;

namespace {

// More would be copied from memory, not from the cache, and the sender would wait for a reader who has not begun.
constexpr std::size_t most_low_water = std::size_t{512} * 1024;

}  // namespace

void asio_transport::open(connection_id id, const core::connection::ip_endpoint& to) {
    auto made = std::make_shared<link>(context_, id);
    links_.emplace(id, made);
    error_code failure;
    const auto address = net::ip::make_address(to.address, failure);
    if (failure) return fail(made, "not an IP address: " + to.address);
    const tcp::endpoint endpoint(address, to.port);
    made->socket.open(endpoint.protocol(), failure);
    if (!failure) made->socket.non_blocking(true, failure);
    if (failure) return fail(made, failure.message());
    made->socket.async_connect(endpoint, [this, made](const error_code& outcome) { on_connected(made, outcome); });
}

void asio_transport::on_connected(const link_ref& to, const error_code& failure) {
    if (to->dead) return;
    if (failure) return fail(to, failure.message());
    error_code ignored;
    // A request waits for nothing; a peer that vanished without a word is noticed by the kernel at last.
    to->socket.set_option(tcp::no_delay(true), ignored);
    to->socket.set_option(net::socket_base::keep_alive(true), ignored);
    events_->on_network(core::connection::connected{to->id});
    await_bytes(to);
}

// Each time that the reader is woken costs the sender as much as sending a few dozen kilobytes, and one part of a long
// answer is of no use without the others. The end of a connection, and a receive buffer that is full, wake all the
// same.
void asio_transport::await_bytes(const link_ref& from) {
    const auto low_water =
        static_cast<int>(std::clamp<std::size_t>(events_->bytes_missing(from->id), 1, most_low_water));
    if (low_water != from->low_water) {
        error_code ignored;
        from->socket.set_option(net::socket_base::receive_low_watermark(low_water), ignored);
        from->low_water = low_water;
    }
    from->socket.async_wait(tcp::socket::wait_read, [this, from](const error_code& failure) {
        if (from->dead) return;
        if (failure) return fail(from, failure.message());
        read(from);
    });
}

void asio_transport::read(const link_ref& from) {
    std::size_t taken = 0;
    while (!from->dead) {
        const auto room = events_->receive_room(from->id);
        if (room.empty()) return;
        error_code failure;
        const auto count = from->socket.read_some(net::buffer(room.data(), room.size()), failure);
        if (count > 0) {
            events_->on_received(from->id, count);
            taken += count;
        }
        if (failure == net::error::would_block || failure == net::error::try_again) return await_bytes(from);
        if (failure == net::error::eof) return fail(from, {});
        if (failure) return fail(from, failure.message());
        if (taken >= read_share_) {
            net::post(context_, [this, from] { read(from); });
            return;
        }
        // A short read has emptied the socket; the wait notices whatever has come since.
        if (count < room.size()) return await_bytes(from);
    }
}

void asio_transport::write(connection_id id, base::shared_bytes bytes) {
    const auto found = links_.find(id);
    if (found == links_.end()) return;
    const auto to = found->second;
    to->unsent.push_back(std::move(bytes));
    if (!to->awaits_room_to_write) flush(to);
}

void asio_transport::flush(const link_ref& to) {
    while (!to->unsent.empty() && !to->dead) {
        const auto& first = to->unsent.front();
        error_code failure;
        to->sent_of_first += to->socket.write_some(
            net::buffer(first.data() + to->sent_of_first, first.size() - to->sent_of_first), failure);
        if (failure == net::error::would_block || failure == net::error::try_again) {
            to->awaits_room_to_write = true;
            to->socket.async_wait(tcp::socket::wait_write, [this, to](const error_code& outcome) {
                to->awaits_room_to_write = false;
                if (to->dead) return;
                if (outcome) return fail(to, outcome.message());
                flush(to);
            });
            return;
        }
        if (failure) return fail(to, failure.message());
        if (to->sent_of_first == first.size()) {
            to->unsent.pop_front();
            to->sent_of_first = 0;
        }
    }
}

void asio_transport::fail(const link_ref& broken, const std::string& reason) {
    drop(broken);
    net::post(context_, [this, id = broken->id, reason] { events_->on_network(core::connection::closed{id, reason}); });
}

void asio_transport::close(connection_id id) {
    const auto found = links_.find(id);
    if (found != links_.end()) drop(link_ref(found->second));
}

void asio_transport::drop(const link_ref& gone) noexcept {
    if (gone->dead) return;
    gone->dead = true;
    error_code ignored;
    gone->socket.shutdown(tcp::socket::shutdown_both, ignored);
    gone->socket.close(ignored);
    links_.erase(gone->id);
}

void asio_transport::shut() noexcept {
    while (!links_.empty()) drop(link_ref(links_.begin()->second));
}

}  // namespace strandline::asio
