// Commits by hand, moves about in a partition, and asks where it stands.
#include <chrono>
#include <iostream>

#include <strandline/consumer.hpp>

using namespace std::chrono_literals;

int main(int argc, char** argv) {
    const std::string brokers = argc > 1 ? argv[1] : "localhost:9092";
    const strandline::topic_partition orders_0{"orders", 0};
    strandline::consumer consumer({.bootstrap_servers = brokers, .group_id = "audit", .enable_auto_commit = false});
    consumer.assign({orders_0});
    consumer.seek_to_beginning();

    auto records = consumer.poll(10s);
    for (const auto& record : records) {
        consumer.commit(record);  // this one and everything before it
        break;
    }
    consumer.commit(strandline::offsets{{orders_0, 1}}, 5s);
    consumer.commit_async([](const strandline::access&, const strandline::commit_result& result) {
        std::cout << "asynchronous commit " << (result ? "done" : result.failure->message()) << "\n";
    });

    consumer.seek(orders_0, 2);
    std::cout << "position " << consumer.position(orders_0) << "\n";
    for (const auto& record : consumer.poll(10s)) std::cout << "read again " << record.offset() << "\n";
    std::cout << "committed " << consumer.committed({orders_0}).at(orders_0).offset << "\n";
    std::cout << "end " << consumer.end_offsets({orders_0}).at(orders_0) << "\n";

    const auto lag = consumer.lag(orders_0);  // unknown is not -1
    std::cout << "lag " << (lag ? std::to_string(*lag) : "unknown") << "\n";

    consumer.pause({orders_0});
    std::cout << consumer.explain();  // why am I not receiving?

    consumer.wakeup();  // from any thread: interrupts one poll
    if (const auto woken = consumer.try_poll(10s); !woken) std::cout << woken.error().message() << "\n";

    const auto report = consumer.close(5s);  // always returns by then
    for (const auto& undone : report.undone) std::cout << "left undone: " << undone << "\n";
    std::cout << "closed" << std::endl;
}
