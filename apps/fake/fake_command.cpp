#include "apps/fake/fake_command.hpp"

#include <csignal>
#include <cstdio>
#include <ctime>
#include <system_error>

#include <fmt/format.h>

#include "apps/fake/demo_records.hpp"

namespace strandline::apps::fake {

namespace {

constexpr std::string_view demo_topic = "demo";

// Blocked before the cluster starts its thread: they are waited for here.
sigset_t block_stop_signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    return set;
}

// An order now and then. Old ones go, so that a demo may run for weeks.
class demo {
public:
    demo(testkit::fake_cluster& cluster, std::int32_t partitions) : cluster_(cluster), partitions_(partitions) {
        for (int i = 0; i < at_once; ++i) produce_one();
    }
    void produce_one() {
        const auto partition = demo_partition(number_, partitions_);
        const auto offset = cluster_.produce(std::string(demo_topic), partition, {demo_record(number_)});
        ++number_;
        if (offset >= kept && offset % (kept / 10) == 0) {
            cluster_.delete_records_before(std::string(demo_topic), partition, offset - kept);
        }
    }

private:
    static constexpr int at_once = 100;
    static constexpr std::int64_t kept = 100'000;
    testkit::fake_cluster& cluster_;
    std::int32_t partitions_;
    std::uint64_t number_ = 0;
};

void produce_until_signal(testkit::fake_cluster& cluster, std::int32_t partitions, const sigset_t& signals) {
    constexpr timespec interval{0, 100'000'000};
    demo shop(cluster, partitions);
    while (sigtimedwait(&signals, nullptr, &interval) < 0) shop.produce_one();
}

}  // namespace

int run(const command_line::fake_options& options) {
    testkit::fake_cluster_config config;
    config.port = options.port;
    config.topics = options.topics;
    std::int32_t demo_partitions = 0;
    for (const auto& topic : config.topics) {
        if (topic.name == demo_topic) demo_partitions = topic.partitions;
    }
    if (options.demo && demo_partitions == 0) {
        demo_partitions = 3;
        config.topics.push_back({std::string(demo_topic), demo_partitions});
    }

    const auto signals = block_stop_signals();
    try {
        testkit::fake_cluster cluster(config);
        fmt::print("listening on {}\n", cluster.bootstrap_servers());
        std::fflush(stdout);
        if (options.demo) {
            produce_until_signal(cluster, demo_partitions, signals);
        } else {
            int which = 0;
            sigwait(&signals, &which);
        }
    } catch (const std::system_error& failure) {
        fmt::print(stderr, "strandline fake: cannot listen on 127.0.0.1:{}: {}\nChoose another --port, or none.\n",
                   options.port, failure.code().message());
        return 1;
    }
    return 0;
}

}  // namespace strandline::apps::fake
