// Decompresses, decodes and handles each partition on a thread of its own, and commits when all are through.
#include <atomic>
#include <chrono>
#include <iostream>
#include <thread>
#include <vector>

#include <strandline/consumer.hpp>

using namespace std::chrono_literals;

int main(int argc, char** argv) {
    const std::string brokers = argc > 1 ? argv[1] : "localhost:9092";
    strandline::consumer consumer({.bootstrap_servers = brokers,
                                   .group_id = "workers",
                                   .enable_auto_commit = false,
                                   .auto_offset_reset = strandline::offset_reset::earliest});
    consumer.subscribe({"orders"});
    std::atomic<int> handled{0};
    while (handled < 9) {
        std::vector<std::jthread> workers;
        for (strandline::partition_records& part : consumer.poll(1s).by_partition()) {
            workers.emplace_back([&handled, part = std::move(part)]() mutable {
                for (const auto& record : part) handled += record.value() ? 1 : 0;  // decoding happens here
            });
        }
        workers.clear();    // joins them
        consumer.commit();  // what they have moved past
    }
    std::cout << "handled " << handled << std::endl;
    consumer.close();
}
