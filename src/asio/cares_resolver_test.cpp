#include "asio/cares_resolver.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <unistd.h>

#include <boost/asio/ip/udp.hpp>
#include <gtest/gtest.h>

#include "asio/recorded_events_testsupport.hpp"

namespace strandline::asio {
namespace {

using core::connection::ip_endpoint;
using core::connection::name_resolved;
using core::connection::query_id;

// Names that need no server: a literal address, this machine, and what can be no name.
struct a_resolver : testing::Test {
    boost::asio::io_context context;
    recorded_events events;
    cares_resolver resolver{context};

    a_resolver() { resolver.report_to(events); }

    name_resolved answer_to(const std::string& host) {
        events.network.clear();
        resolver.resolve(query_id(3), {host, 9092});
        EXPECT_TRUE(events.network.empty()) << "nothing is reported inside the question";
        EXPECT_TRUE(happens(context, [&] { return !events.network.empty(); }));
        return events.network.empty() ? name_resolved{} : events.all<name_resolved>().front();
    }
};

TEST_F(a_resolver, passes_literal_addresses_on_with_the_port_asked_for) {
    const auto four = answer_to("127.0.0.1");
    EXPECT_EQ(four.id, query_id(3));
    EXPECT_EQ(four.addresses, (std::vector<ip_endpoint>{{"127.0.0.1", 9092}}));
    EXPECT_EQ(four.reason, "");
    EXPECT_EQ(answer_to("::1").addresses, (std::vector<ip_endpoint>{{"::1", 9092}}));
}

TEST_F(a_resolver, knows_this_machine_without_any_file_or_server) {
    for (const auto* const name : {"localhost", "LocalHost.", "kafka.localhost"}) {
        const auto found = answer_to(name);
        EXPECT_EQ(found.addresses, (std::vector<ip_endpoint>{{"127.0.0.1", 9092}, {"::1", 9092}})) << name;
        EXPECT_EQ(found.reason, "");
    }
}

TEST_F(a_resolver, says_that_there_is_no_such_name) {
    const auto none = answer_to(std::string(300, 'x'));
    EXPECT_EQ(none.id, query_id(3));
    EXPECT_TRUE(none.addresses.empty());
    EXPECT_NE(none.reason, "");
}

TEST_F(a_resolver, tells_nothing_any_more_once_it_is_shut) {
    resolver.resolve(query_id(1), {"127.0.0.1", 9092});
    resolver.shut();
    context.restart();
    context.poll();
    EXPECT_TRUE(events.network.empty());
}

// Knows one address, 10.1.2.3, of every name.
class a_name_server {
public:
    a_name_server(boost::asio::io_context& context, const char* address)
        : socket_(context, {boost::asio::ip::make_address(address), 0}) {
        receive();
    }
    std::uint16_t port() const { return socket_.local_endpoint().port(); }

private:
    void receive() {
        socket_.async_receive_from(boost::asio::buffer(packet_), from_,
                                   [this](const auto& failure, std::size_t length) {
                                       if (failure) return;
                                       answer(std::string(packet_.data(), length));
                                       receive();
                                   });
    }
    // RFC 1035: the header, the question as it came, and for addresses of the old kind one answer.
    void answer(std::string packet) {
        constexpr std::size_t header = 12;
        const auto end_of_name = packet.find('\0', header);
        const auto end_of_question = end_of_name + 5;
        const bool asks_for_a = packet.at(end_of_name + 2) == 1;
        packet.resize(end_of_question);
        packet[2] = '\x81';
        packet[3] = '\x80';
        packet[7] = asks_for_a ? 1 : 0;
        packet[9] = packet[11] = 0;
        if (asks_for_a) packet += std::string("\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x0a\1\2\3", 16);
        socket_.send_to(boost::asio::buffer(packet), from_);
    }

    boost::asio::ip::udp::socket socket_;
    boost::asio::ip::udp::endpoint from_;
    std::array<char, 512> packet_{};
};

// Each attempt that is refused closes a socket whose number the next one gets.
TEST(cares_resolver, gives_up_on_a_name_server_that_refuses_and_asks_whom_the_settings_name_by_then) {
    boost::asio::io_context context;
    recorded_events events;
    a_name_server server(context, "127.0.0.2");
    const std::string file = testing::TempDir() + "resolv.conf." + std::to_string(getpid());
    cares_resolver resolver(context, {file, server.port()});
    resolver.report_to(events);
    const auto answer_with = [&](const std::string& settings) {
        std::ofstream(file) << settings;
        events.network.clear();
        resolver.resolve(query_id(3), {"broker.example", 9092});
        EXPECT_TRUE(happens(context, [&] { return !events.network.empty(); }));
        const auto answers = events.all<name_resolved>();
        return answers.empty() ? name_resolved{} : answers.front();
    };
    const std::vector<ip_endpoint> known{{"10.1.2.3", 9092}};
    EXPECT_NE(answer_with("nameserver 127.0.0.3\n").reason, "") << "nobody is there";
    EXPECT_EQ(answer_with("nameserver 127.0.0.2\n").addresses, known);
    static_cast<void>(std::remove(file.c_str()));
}

}  // namespace
}  // namespace strandline::asio
