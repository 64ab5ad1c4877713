// Each broker is one process of tests/java/broker.
#include "tests/live/kafka_cluster.hpp"

#include <csignal>
#include <deque>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include "tests/live/free_ports.hpp"
#include "tests/live/installation.hpp"
#include "tests/live/patience.hpp"

namespace strandline::live {

namespace {

constexpr auto start_limit = std::chrono::seconds(60);
constexpr auto stop_limit = std::chrono::seconds(30);

std::string end_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream all;
    all << in.rdbuf();
    const auto text = all.str();
    return text.substr(text.size() > 3000 ? text.size() - 3000 : 0);
}

// The last lines in which a broker complains: it may be long after a broker went away that a test ends.
std::string complaints_in(const std::filesystem::path& file) {
    constexpr std::size_t most = 40;
    std::deque<std::string> lines;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const bool complains = line.find("WARN") != line.npos || line.find("ERROR") != line.npos ||
                               line.find("FATAL") != line.npos || line.find("Exception") != line.npos;
        if (!complains) continue;
        lines.push_back(line.substr(0, 300));
        if (lines.size() > most) lines.pop_front();
    }
    std::string all;
    for (const auto& line : lines) all += line + '\n';
    return all;
}

}  // namespace

kafka_cluster::kafka_cluster(cluster_options options)
    : options_(std::move(options)), folder_(fresh_folder(options_.name)) {
    const auto ports = free_ports(static_cast<std::size_t>(options_.brokers) * 2);
    for (int number = 1; number <= options_.brokers; ++number) {
        const auto first = static_cast<std::size_t>(number - 1) * 2;
        members_.push_back({.port = ports[first],
                            .controller_port = ports[first + 1],
                            .folder = folder_ / ("broker-" + std::to_string(number)),
                            .process = nullptr});
        std::filesystem::create_directories(members_.back().folder);
    }
    for (int number = 1; number <= options_.brokers; ++number) launch(number);
    for (int number = 1; number <= options_.brokers; ++number) await_port(number);
    await_alive();
}

kafka_cluster::~kafka_cluster() {
    helper_.reset();
    if (testing::UnitTest::GetInstance()->Failed()) {
        for (int number = 1; number <= brokers(); ++number) {
            const auto log = at(number).folder / "broker.log";
            std::cerr << "broker " << number << (is_running(number) ? " runs" : " does not run")
                      << "; what it complained of:\n"
                      << complaints_in(log) << "the end of " << log << ":\n"
                      << end_of(log) << '\n';
        }
    }
    members_.clear();
    // The logs stay for whoever looks for the reason of a failure; the data does not.
    std::error_code ignored;
    for (int number = 1; number <= options_.brokers; ++number) {
        std::filesystem::remove_all(folder_ / ("broker-" + std::to_string(number)) / "log", ignored);
    }
}

std::string kafka_cluster::bootstrap_servers() const {
    std::string all;
    for (int number = 1; number <= brokers(); ++number) all += (number > 1 ? "," : "") + address_of(number);
    return all;
}

std::string kafka_cluster::address_of(int broker) const { return "127.0.0.1:" + std::to_string(at(broker).port); }

std::filesystem::path kafka_cluster::log_folder(int broker) const { return at(broker).folder / "log"; }

kafka_helper& kafka_cluster::kafka() {
    if (!helper_) helper_ = std::make_unique<kafka_helper>(bootstrap_servers(), folder_ / "helper.log");
    return *helper_;
}

void kafka_cluster::launch(int broker) {
    auto& member = at(broker);
    std::string ports;
    for (const auto& each : members_) {
        ports += (ports.empty() ? "" : ",") + std::to_string(each.port) + ":" + std::to_string(each.controller_port);
    }
    std::vector<std::string> command{broker_script(),
                                     "--libs",
                                     kafka_jars(options_.version),
                                     "--data",
                                     member.folder,
                                     "--ports",
                                     ports,
                                     "--node",
                                     std::to_string(broker),
                                     "--heap",
                                     std::to_string(options_.heap_megabytes)};
    for (const auto& setting : options_.settings) {
        command.insert(command.end(), {"--set", setting});
    }
    // Its log comes on stderr.
    member.process = std::make_unique<child_process>(
        child_options{.command = std::move(command), .error_copy = member.folder / "broker.log"});
}

void kafka_cluster::await_port(int broker) {
    eventually("broker " + std::to_string(broker) + " listens on port " + std::to_string(at(broker).port), start_limit,
               [&] {
                   if (!is_running(broker)) {
                       throw std::runtime_error("broker " + std::to_string(broker) +
                                                " ended: " + end_of(at(broker).folder / "broker.log"));
                   }
                   return is_listening(at(broker).port);
               });
}

void kafka_cluster::await_alive() {
    json::array running;
    for (int number = 1; number <= brokers(); ++number) {
        if (is_running(number)) running.push_back(number);
    }
    eventually("the brokers " + json::serialize(running) + " are counted as alive", start_limit,
               [&] { return kafka().call("describe_cluster").at("brokers").as_array() == running; });
}

bool kafka_cluster::is_running(int broker) { return at(broker).process && at(broker).process->is_running(); }

void kafka_cluster::stop(int broker) {
    at(broker).process->send_signal(SIGTERM);
    if (!at(broker).process->wait(stop_limit)) {
        throw not_in_time("broker " + std::to_string(broker) + " did not stop in time");
    }
}

void kafka_cluster::kill(int broker) {
    at(broker).process->send_signal(SIGKILL);
    at(broker).process->wait(stop_limit);
}

void kafka_cluster::freeze(int broker) { at(broker).process->send_signal(SIGSTOP); }

void kafka_cluster::thaw(int broker) { at(broker).process->send_signal(SIGCONT); }

void kafka_cluster::start(int broker) {
    launch(broker);
    await_port(broker);
    await_alive();
}

void kafka_cluster::restore() {
    // All together: alone, a controller finds no majority and opens no port.
    for (int number = 1; number <= brokers(); ++number) {
        if (is_running(number)) {
            thaw(number);
        } else {
            launch(number);
        }
    }
    for (int number = 1; number <= brokers(); ++number) await_port(number);
    await_alive();
}

void kafka_cluster::stop_all() {
    for (int number = 1; number <= brokers(); ++number) {
        // Without the others there is nobody to hand leadership to, and a controlled stop would wait for that.
        if (is_running(number)) kill(number);
    }
}

}  // namespace strandline::live
