// A broker that costs as little as possible, so that what is measured beside it is the client.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "protocol/header.hpp"
#include "tests/bench/null_broker/client_connection.hpp"
#include "tests/bench/null_broker/fetch_answer.hpp"
#include "tests/bench/null_broker/log_source.hpp"
#include "tests/bench/null_broker/served_cluster.hpp"
#include "tests/bench/options.hpp"

namespace strandline::bench {

// One thread, one epoll set. Runs until it is killed, or until the process that started it ends.
class null_broker {
public:
    // `interval`: between two records, in nanoseconds; 0 when the source does not grow.
    null_broker(std::unique_ptr<log_source> source, paced_source* paced, const served_cluster& cluster,
                std::int64_t interval);
    ~null_broker();

    std::int32_t port() const noexcept { return cluster_.port; }
    [[noreturn]] void run();

private:
    void listen();
    void watch(int descriptor, std::uint32_t events, int operation);
    void accept_clients();
    void grow();
    void serve(client_connection& client, std::uint32_t events);
    // False: the connection is to be closed.
    bool handle_frames(client_connection& client);
    bool handle(client_connection& client, const base::shared_bytes& frame);
    bool handle_fetch(client_connection& client, const protocol::headed<protocol::request_header>& request);
    std::shared_ptr<fetch_session> session_of(const protocol::messages::fetch_request& request,
                                              protocol::broker_error& error);
    bool finish(client_connection& client);
    void answer_waiting();
    int milliseconds_to_next_deadline() const;

    std::unique_ptr<log_source> source_;
    paced_source* paced_;
    served_cluster cluster_;
    std::int64_t interval_;
    bool growing_ = false;
    int epoll_ = -1;
    int listener_ = -1;
    int timer_ = -1;
    std::map<int, std::unique_ptr<client_connection>> clients_;
    std::map<std::int32_t, std::shared_ptr<fetch_session>> sessions_;
    std::int32_t last_session_ = 0;
};

// strandline-bench null-broker --mode flood|idle|paced ...: prints "port N", then serves.
int run_null_broker(options& given);

}  // namespace strandline::bench
