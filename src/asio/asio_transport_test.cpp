#include "asio/asio_transport.hpp"

#include <algorithm>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

#include "asio/recorded_events_testsupport.hpp"

namespace strandline::asio {
namespace {

namespace net = boost::asio;
using core::connection::closed;
using core::connection::connected;
using core::connection::connection_id;
using net::ip::tcp;

constexpr connection_id mine{7};

base::shared_bytes bytes_of(std::string_view text) { return base::shared_bytes::copy_of(base::as_bytes(text)); }

// The transport, and a peer on the same thread that does what it is told.
struct transport_and_peer : testing::Test {
    net::io_context context;
    recorded_events events;
    tcp::acceptor acceptor{context, tcp::endpoint(net::ip::address_v4::loopback(), 0)};
    tcp::socket peer{context};
    asio_transport transport{context};

    transport_and_peer() { transport.report_to(events); }

    core::connection::ip_endpoint here() const { return {"127.0.0.1", acceptor.local_endpoint().port()}; }
    void connect() {
        transport.open(mine, here());
        acceptor.accept(peer);
        peer.non_blocking(true);
        ASSERT_TRUE(happens(context, [&] { return !events.network.empty(); }));
        ASSERT_EQ(events.all<connected>().size(), 1U);
        EXPECT_EQ(events.all<connected>().front().id, mine);
    }
    void peer_sends(std::string_view text) { net::write(peer, net::buffer(text.data(), text.size())); }
    // Whatever is ready, and what that makes ready.
    void let_everything_happen() {
        context.restart();
        while (context.poll() > 0) context.restart();
    }
    std::string peer_reads(std::size_t count) {
        std::string text;
        std::vector<char> room(std::size_t{64} * 1024);
        EXPECT_TRUE(happens(context, [&] {
            boost::system::error_code failure;
            const auto more = peer.read_some(net::buffer(room), failure);
            text.append(room.data(), more);
            if (text.size() < count) net::post(context, [] {});
            return text.size() >= count;
        }));
        return text;
    }
};

TEST_F(transport_and_peer, carry_bytes_both_ways) {
    connect();
    transport.write(mine, bytes_of("question"));
    EXPECT_EQ(peer_reads(8), "question");
    peer_sends("answer");
    EXPECT_TRUE(happens(context, [&] { return events.received == "answer"; }));
}

TEST_F(transport_and_peer, go_on_reading_wherever_a_read_ended) {
    events.room.resize(4);
    connect();
    // Twice the room: the second read fills it, and the third finds nothing.
    for (const std::string expected : {"abcdefgh", "abcdefghijklmnop"}) {
        peer_sends(std::string_view(expected).substr(expected.size() - 8));
        EXPECT_TRUE(happens(context, [&] { return events.received.size() >= expected.size(); }));
        EXPECT_EQ(events.received, expected);
    }
}

TEST_F(transport_and_peer, do_not_wake_for_less_than_is_missing_of_a_long_frame) {
    connect();
    events.missing = 1000;
    peer_sends("beginning");
    ASSERT_TRUE(happens(context, [&] { return events.received == "beginning"; }));
    peer_sends(std::string(500, 'x'));
    let_everything_happen();
    EXPECT_EQ(events.received, "beginning");
    events.when_received = [&] { events.missing = 0; };
    peer_sends(std::string(500, 'x'));
    EXPECT_TRUE(happens(context, [&] { return events.received == "beginning" + std::string(1000, 'x'); }));

    events.missing = 0;
    peer_sends("?");
    EXPECT_TRUE(happens(context, [&] { return events.received.ends_with('?'); }))
        << "what is missing is asked for anew";
}

TEST_F(transport_and_peer, hear_of_the_end_of_a_connection_although_bytes_are_missing) {
    connect();
    events.missing = 1000;
    peer_sends("beginning");
    ASSERT_TRUE(happens(context, [&] { return events.received == "beginning"; }));
    peer_sends("less");
    peer.close();
    ASSERT_TRUE(happens(context, [&] { return !events.all<closed>().empty(); }));
    EXPECT_EQ(events.received, "beginningless");
}

TEST_F(transport_and_peer, keep_the_order_of_what_the_socket_does_not_take_at_once) {
    connect();
    std::string all;
    for (int i = 0; i < 64; ++i) {
        std::string part(std::size_t{256} * 1024, static_cast<char>('A' + i));
        transport.write(mine, bytes_of(part));
        all += part;
    }
    transport.write(mine, bytes_of("end"));
    all += "end";
    EXPECT_TRUE(peer_reads(all.size()) == all);
}

TEST_F(transport_and_peer, let_others_have_their_turn_while_a_connection_has_much) {
    constexpr std::size_t share = 4096;
    asio_transport sharing(context, share);
    sharing.report_to(events);
    events.room.resize(share / 4);
    sharing.open(mine, here());
    acceptor.accept(peer);
    const std::string much(8 * share, 'x');
    peer_sends(much);
    bool others_had_theirs = false;
    std::size_t before = 0;
    events.when_received = [&] {
        // They come while the connection is being read.
        if (before == 0) net::post(context, [&] { others_had_theirs = true; });
        if (!others_had_theirs) before = events.received.size();
    };
    EXPECT_TRUE(happens(context, [&] { return events.received.size() == much.size(); }));
    EXPECT_TRUE(others_had_theirs);
    EXPECT_EQ(before, share);
}

TEST_F(transport_and_peer, tell_of_the_end_once_and_after_the_call_that_found_it) {
    connect();
    peer.close();
    ASSERT_TRUE(happens(context, [&] { return !events.all<closed>().empty(); }));
    EXPECT_EQ(events.all<closed>().front().id, mine);
    EXPECT_EQ(events.all<closed>().front().reason, "") << "the peer closed";
    transport.write(mine, bytes_of("into nothing"));
    let_everything_happen();
    EXPECT_EQ(events.all<closed>().size(), 1U);

    transport.open(connection_id(8), {"no address", 1});
    EXPECT_EQ(events.all<closed>().size(), 1U) << "nothing is reported inside a call";
    let_everything_happen();
    ASSERT_EQ(events.all<closed>().size(), 2U);
    EXPECT_EQ(events.all<closed>().back().id, connection_id(8));
    EXPECT_EQ(events.all<closed>().back().reason, "not an IP address: no address");
}

TEST_F(transport_and_peer, tell_why_a_connection_was_not_made) {
    const auto nobody = here();
    acceptor.close();
    transport.open(mine, nobody);
    ASSERT_TRUE(happens(context, [&] { return !events.network.empty(); }));
    ASSERT_EQ(events.all<closed>().size(), 1U);
    EXPECT_NE(events.all<closed>().front().reason, "");
}

TEST_F(transport_and_peer, tell_nothing_of_a_connection_that_was_closed) {
    connect();
    peer_sends("late");
    transport.close(mine);
    transport.close(mine);
    let_everything_happen();
    EXPECT_EQ(events.network.size(), 1U);
    EXPECT_EQ(events.received, "");

    // Also when it was not made yet.
    transport.open(connection_id(8), here());
    transport.close(connection_id(8));
    let_everything_happen();
    EXPECT_EQ(events.network.size(), 1U);
}

TEST_F(transport_and_peer, send_what_was_written_before_a_close) {
    connect();
    transport.write(mine, bytes_of("goodbye"));
    transport.close(mine);
    EXPECT_EQ(peer_reads(7), "goodbye");
}

TEST_F(transport_and_peer, stop_reading_a_connection_that_has_no_room_any_more) {
    connect();
    events.room.clear();
    peer_sends("nobody wants this");
    let_everything_happen();
    EXPECT_EQ(events.received, "");
    EXPECT_EQ(events.network.size(), 1U);
}

}  // namespace
}  // namespace strandline::asio
