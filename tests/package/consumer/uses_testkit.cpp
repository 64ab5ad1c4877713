// A user's test of a user's program: a cluster in the process, a record in it, and a consumer that finds it.
#include <chrono>
#include <iostream>

#include <strandline/consumer.hpp>
#include <strandline/testkit/fake_cluster.hpp>

int main() {
    strandline::testkit::fake_cluster cluster({.topics = {{.name = "orders"}}});
    cluster.produce("orders", 0, {{.key = "k", .value = "v"}});
    strandline::consumer consumer({.bootstrap_servers = cluster.bootstrap_servers()});
    consumer.assign({{"orders", 0}});
    consumer.seek_to_beginning({{"orders", 0}});
    for (const strandline::record& record : consumer.poll(std::chrono::seconds(20))) {
        std::cout << record.key_text().value_or("-") << ' ' << record.value_text().value_or("-") << '\n';
        return 0;
    }
    std::cerr << "no record came\n";
    return 1;
}
