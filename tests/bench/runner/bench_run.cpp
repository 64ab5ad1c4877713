#include "tests/bench/runner/bench_run.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/utsname.h>
#include <unistd.h>

namespace strandline::bench {
namespace {

namespace fs = std::filesystem;

std::string this_program() { return fs::read_symlink("/proc/self/exe").string(); }

std::string librdkafka_in(const fs::path& folder) {
    std::error_code absent;
    for (const auto& entry : fs::recursive_directory_iterator(folder, absent)) {
        const auto name = entry.path().filename().string();
        if (name.starts_with("librdkafka") && name.find(".so") != std::string::npos) return entry.path().string();
    }
    return {};
}

std::vector<client> all_clients(const fs::path& peers, bool with_ideal) {
    std::vector<client> clients{{ours, {this_program(), "client", ours}}};
    if (with_ideal) clients.push_back({ideal, {this_program(), "client", ideal}});
    if (const auto library = librdkafka_in(peers / "librdkafka"); !library.empty()) {
        clients.push_back({"librdkafka", {this_program(), "client", "librdkafka", "--library", library}});
    }
    if (fs::exists(peers / "classes")) {
        const auto path = (peers / "libs").string() + "/*:" + (peers / "classes").string();
        for (const std::string protocol : {"classic", "consumer"}) {
            clients.push_back({"java-" + protocol,
                               {"java", "-Xms512m", "-Xmx512m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp",
                                path, "BenchConsumer", "--protocol", protocol}});
        }
    }
    return clients;
}

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
    }
    return "unknown processor";
}

}  // namespace

double number(const values& line, const std::string& name) {
    const auto found = line.find(name);
    if (found == line.end()) throw std::runtime_error("a client did not say its " + name);
    return std::stod(found->second);
}

bench_run::bench_run(options& given, bool with_ideal, int rounds)
    : rounds_(static_cast<int>(given.integer("rounds", rounds))) {
    const auto only = given.list("only");
    for (auto& one : all_clients(given.text("peers", STRANDLINE_BENCH_PEERS), with_ideal)) {
        const bool wanted = only.empty() || std::find(only.begin(), only.end(), one.name) != only.end();
        if (wanted) clients_.push_back(std::move(one));
    }
    const auto cpus = given.text("cpus", "both");
    if (cpus == "apart") {
        broker_core_ = 0;
        client_core_ = 1;
    } else if (cpus != "both") {
        throw std::runtime_error(
            "--cpus is both (nobody is bound) or apart (the broker on core 0, the client on core 1)");
    }
}

void bench_run::introduce(const options& given, const std::string& what) const {
    given.refuse_others();
    double load = 0;
    ::getloadavg(&load, 1);
    std::printf("%s; %d round%s, %s\n", what.c_str(), rounds_, rounds_ == 1 ? "" : "s",
                client_core_ ? "the broker on core 0, the client on core 1" : "nobody bound to a core");
    std::printf("%s, %ld cores; load average before: %.1f\n", processor_name().c_str(), ::sysconf(_SC_NPROCESSORS_ONLN),
                load);
    std::fflush(stdout);
}

std::pair<std::unique_ptr<child_process>, std::string> bench_run::start_broker(
    const std::vector<std::string>& more) const {
    std::vector<std::string> command{this_program(), "null-broker"};
    command.insert(command.end(), more.begin(), more.end());
    auto broker = std::make_unique<child_process>(command, broker_core_);
    const auto line = broker->read_line(10);
    if (!line || !line->starts_with("port ")) throw std::runtime_error("the null broker did not start");
    return {std::move(broker), "127.0.0.1:" + line->substr(5)};
}

std::unique_ptr<child_process> bench_run::start(const client& which, const std::string& scenario,
                                                const std::string& brokers,
                                                const std::vector<std::string>& more) const {
    auto command = which.command;
    command.insert(command.end(), {"--scenario", scenario, "--brokers", brokers});
    command.insert(command.end(), more.begin(), more.end());
    return std::make_unique<child_process>(command, client_core_);
}

values bench_run::result_of(child_process& process, double seconds) {
    while (const auto line = process.read_line(seconds)) {
        if (!line->starts_with("result ")) continue;
        values result;
        std::istringstream words(line->substr(7));
        for (std::string word; words >> word;) {
            const auto sign = word.find('=');
            result[word.substr(0, sign)] = word.substr(sign + 1);
        }
        return result;
    }
    throw std::runtime_error("a client ended or said nothing for too long");
}

void print_head(const std::vector<std::string>& columns) {
    std::printf("%-16s", "");
    for (const auto& column : columns) std::printf(" | %-26s", column.c_str());
    std::printf("\n");
}

void print_row(const std::string& name, const std::vector<spread>& columns, int decimals) {
    std::printf("%-16s", name.c_str());
    for (const auto& [min, median, max] : columns) {
        std::printf(" | %8.*f %8.*f %8.*f", decimals, min, decimals, median, decimals, max);
    }
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace strandline::bench
