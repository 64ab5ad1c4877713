// What a program of a user links first: makes a consumer, which touches no network, and closes it.
#include <iostream>

#include <strandline/consumer.hpp>

int main() {
    strandline::consumer consumer({.bootstrap_servers = "localhost:9092", .group_id = "billing"});
    consumer.subscribe({"orders"});
    const auto refused = strandline::consumer::create({});
    std::cout << to_string(strandline::topic_partition{"orders", 3}) << '\n';
    return refused ? 1 : 0;
}
