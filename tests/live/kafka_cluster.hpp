// Real Kafka brokers on loopback, started for a test: one or three, that can be stopped, killed, frozen and
// started again one by one. All of them end with the object.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/live/child_process.hpp"
#include "tests/live/kafka_helper.hpp"

namespace strandline::live {

struct cluster_options {
    // Names the folder of its logs below the build directory.
    std::string name;
    int brokers = 1;
    std::string version = "4.4.0";
    // Broker settings, "key=value", over those of tests/java/broker.properties.
    std::vector<std::string> settings = {};
    int heap_megabytes = 512;
};

class kafka_cluster {
public:
    // Returns when every broker serves. Throws when one does not.
    explicit kafka_cluster(cluster_options options);
    ~kafka_cluster();

    std::string bootstrap_servers() const;
    std::string address_of(int broker) const;
    std::filesystem::path log_folder(int broker) const;
    // Made at first use.
    kafka_helper& kafka();

    // Brokers are counted from 1, as Kafka does with ours.
    int brokers() const { return options_.brokers; }
    void stop(int broker);          // a controlled stop: leaders move away first
    void kill(int broker);          // as a power failure
    void freeze(int broker);        // connections stay, nothing is answered
    void thaw(int broker);
    void start(int broker);         // one that is down; returns when the cluster counts it as alive again
    void stop_all();
    void restore();  // every broker runs, is not frozen and counted as alive
    void await_alive();           // until the cluster counts every running broker as alive
    bool is_running(int broker);

private:
    struct broker_process {
        std::uint16_t port;
        std::uint16_t controller_port;
        std::filesystem::path folder;
        std::unique_ptr<child_process> process;
    };

    void launch(int broker);
    void await_port(int broker);
    broker_process& at(int number) { return members_.at(static_cast<std::size_t>(number - 1)); }
    const broker_process& at(int number) const { return members_.at(static_cast<std::size_t>(number - 1)); }

    cluster_options options_;
    std::filesystem::path folder_;
    std::vector<broker_process> members_;
    std::unique_ptr<kafka_helper> helper_;
};

}  // namespace strandline::live
