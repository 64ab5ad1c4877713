// What all comparisons have in common: the broker beside, the clients in turn, and the lines they print.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/options.hpp"
#include "tests/bench/runner/child_process.hpp"
#include "tests/bench/runner/spread.hpp"

namespace strandline::bench {

inline constexpr const char* ours = "strandline";
inline constexpr const char* ideal = "ideal";

struct client {
    std::string name;
    std::vector<std::string> command;

    bool is_peer() const { return name != ours && name != ideal; }
};

using values = std::map<std::string, std::string>;
double number(const values& line, const std::string& name);

// Reads the options that every comparison knows: --only, --peers, --rounds, --cpus.
class bench_run {
public:
    bench_run(options& given, bool with_ideal, int rounds = 5);

    const std::vector<client>& clients() const noexcept { return clients_; }
    int rounds() const noexcept { return rounds_; }

    // Says what is measured and on which machine; refuses options that nobody asked for.
    void introduce(const options& given, const std::string& what) const;

    // Options of the null broker; gives its address too.
    std::pair<std::unique_ptr<child_process>, std::string> start_broker(const std::vector<std::string>& more) const;
    std::unique_ptr<child_process> start(const client& which, const std::string& scenario, const std::string& brokers,
                                         const std::vector<std::string>& more) const;
    // What stands in a client's "result" line. Throws when it says nothing for so long.
    static values result_of(child_process& process, double seconds);

private:
    std::vector<client> clients_;
    int rounds_;
    std::optional<int> broker_core_;
    std::optional<int> client_core_;
};

// "name   min median max   ..." lines.
void print_row(const std::string& name, const std::vector<spread>& columns, int decimals);
void print_head(const std::vector<std::string>& columns);

int run_flood(options& given);
int run_latency(options& given);
int run_idle(options& given);
int run_startup(options& given);
int run_close(options& given);
int run_stall(options& given);

}  // namespace strandline::bench
