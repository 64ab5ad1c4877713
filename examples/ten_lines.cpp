// The first program: reads the topic "orders" as a member of the group "billing", for ever.
#include <chrono>
#include <iostream>

#include <strandline/consumer.hpp>

using namespace std::chrono_literals;

int main(int argc, char** argv) {
    const std::string brokers = argc > 1 ? argv[1] : "localhost:9092";
    strandline::consumer consumer(
        {.bootstrap_servers = brokers, .group_id = "billing", .auto_offset_reset = strandline::offset_reset::earliest});
    consumer.subscribe({"orders"});
    for (;;) {
        for (const strandline::record& record : consumer.poll(1s)) {
            std::cout << record.key_text().value_or("-") << " " << record.value_text().value_or("-") << std::endl;
        }
    }
}
