// Little or nothing to do: what waiting costs. The clients of a cell run side by side, each with a broker of its own.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/bench/runner/bench_run.hpp"
#include "tests/bench/runner/idle_cells.hpp"
#include "tests/bench/runner/process_usage.hpp"
#include "tests/bench/runner/silent_listener.hpp"

namespace strandline::bench {
namespace {

constexpr const char* reactor_thread = "strandline";

void wait(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

struct figures {
    double wakes = 0;      // voluntary switches a second
    double processor = 0;  // per cent of one core
    double memory = 0;     // resident, megabytes
    double reactor_wakes = 0;
};

// One client of a cell, with what it talks to.
class participant {
public:
    participant(const bench_run& run, const client& who, const idle_cell& cell, const std::string& real_brokers,
                const std::string& topic)
        : who_(&who) {
        auto address = real_brokers;
        if (cell.fault == idle_fault::black_hole) {
            silent_ = std::make_unique<silent_listener>();
            address = silent_->address();
        } else if (cell.fault == idle_fault::no_name) {
            address = "no-such-host.invalid:9092";
        } else if (address.empty()) {
            auto options = cell.broker;
            options.insert(options.end(), {"--partitions", std::to_string(cell.partitions)});
            std::tie(broker_, address) = run.start_broker(options);
        }
        std::vector<std::string> options{"--topic",      topic,
                                         "--group",      "idle-" + cell.name + "-" + who.name,
                                         "--partitions", std::to_string(cell.partitions)};
        options.insert(options.end(), cell.client.begin(), cell.client.end());
        process_ = run.start(who, cell.scenario, address, options);
    }

    const std::string& name() const noexcept { return who_->name; }
    void harm(idle_fault how) {
        if (how == idle_fault::kill) broker_->send_signal(SIGKILL);
        if (how == idle_fault::stop) broker_->send_signal(SIGSTOP);
    }
    void begin() {
        before_ = process_usage::of(process_->id());
        reactor_before_ = process_usage::of(process_->id(), reactor_thread);
    }
    // None: it has ended.
    std::optional<figures> end(double seconds) const {
        if (process_->has_ended()) return std::nullopt;
        const auto after = process_usage::of(process_->id());
        const auto reactor = process_usage::of(process_->id(), reactor_thread);
        return figures{(after.voluntary_switches - before_.voluntary_switches) / seconds,
                       (after.processor_seconds - before_.processor_seconds) / seconds * 100,
                       resident_memory::of(process_->id()).now,
                       (reactor.voluntary_switches - reactor_before_.voluntary_switches) / seconds};
    }

private:
    const client* who_;
    std::unique_ptr<silent_listener> silent_;
    std::unique_ptr<child_process> broker_;
    std::unique_ptr<child_process> process_;
    process_usage before_;
    process_usage reactor_before_;
};

// Whether ours kept what is promised, cell by cell.
class verdicts {
public:
    void judge(const idle_cell& cell, const std::optional<figures>& found) {
        if (!found) {
            say(cell, "has ended", 0, 0, false);
            return;
        }
        check(cell, "wake-ups/s", found->wakes, cell.ours.wakes);
        check(cell, "% of a core", found->processor, cell.ours.processor);
        if (cell.name == "idle-1") memory_of_one_ = found->memory;
        if (cell.ours.bytes_per_partition && memory_of_one_) {
            const auto bytes = (found->memory - *memory_of_one_) * 1024 * 1024 / (cell.partitions - 1);
            check(cell, "bytes per partition", bytes, cell.ours.bytes_per_partition);
        }
        if (cell.fetches > 0) {
            check(cell, "wake-ups of the reactor per fetch", found->reactor_wakes / cell.fetches,
                  cell.ours.reactor_wakes_per_fetch);
        }
    }
    int print_sum() const {
        std::printf("\nbounds for %s: %d of %d met\n", ours, met_, met_ + missed_);
        return missed_ == 0 ? 0 : 1;
    }

private:
    void check(const idle_cell& cell, const char* what, double found, std::optional<double> bound) {
        if (bound) say(cell, what, found, *bound, found <= *bound);
    }
    void say(const idle_cell& cell, const char* what, double found, double bound, bool is_met) {
        ++(is_met ? met_ : missed_);
        std::printf("  %s: %s %.3g, promised %.3g: %s\n", cell.name.c_str(), what, found, bound,
                    is_met ? "met" : "MISSED");
        std::fflush(stdout);
    }

    std::optional<double> memory_of_one_;
    int met_ = 0;
    int missed_ = 0;
};

std::vector<const idle_cell*> chosen_cells(const std::vector<std::string>& names, bool real) {
    std::vector<const idle_cell*> chosen;
    for (const auto& cell : idle_cells()) {
        const bool named = std::ranges::find(names, cell.name) != names.end();
        if (named || (names.empty() && (!real || cell.with_real_broker))) chosen.push_back(&cell);
        if (named && real && !cell.with_real_broker) {
            throw std::runtime_error("cell " + cell.name + " needs the null broker");
        }
    }
    for (const auto& name : names) {
        if (std::ranges::find(idle_cells(), name, &idle_cell::name) == idle_cells().end()) {
            throw std::runtime_error("no cell is called '" + name + "'");
        }
    }
    return chosen;
}

}  // namespace

int run_idle(options& given) {
    const bench_run run(given, false, 1);
    if (run.rounds() != 1) throw std::runtime_error("idle runs every cell once: give --seconds instead of --rounds");
    const auto settling = given.number("warm-up", 8);
    const auto seconds = given.number("seconds", 5);
    const auto brokers = given.text("brokers", "");
    const auto topic = given.text("topic", "bench");
    const auto cells = chosen_cells(given.list("cells"), !brokers.empty());
    char watched[96];
    std::snprintf(watched, sizeof watched, "idle: side by side, watched for %g s after %g s of settling, %s", seconds,
                  settling, brokers.empty() ? "null broker" : "real brokers");
    run.introduce(given, watched);
    verdicts ours_kept;
    for (const auto* cell : cells) {
        std::vector<std::unique_ptr<participant>> all;
        for (const auto& one : run.clients()) {
            if (cell->ours_only && one.is_peer()) continue;
            all.push_back(std::make_unique<participant>(run, one, *cell, brokers, topic));
        }
        wait(settling);
        for (const auto& one : all) one->harm(cell->fault);
        wait(cell->wait);
        for (const auto& one : all) one->begin();
        const auto watched_for = seconds * cell->longer;
        wait(watched_for);
        std::map<std::string, std::optional<figures>> found;
        for (const auto& one : all) found[one->name()] = one->end(watched_for);

        std::printf("\n%s: %s\n", cell->name.c_str(), cell->what.c_str());
        std::printf("%-16s %12s %12s %12s\n", "", "wake-ups/s", "% of a core", "resident MB");
        for (const auto& one : all) {
            const auto& its = found[one->name()];
            if (its) {
                std::printf("%-16s %12.2f %12.3f %12.1f\n", one->name().c_str(), its->wakes, its->processor,
                            its->memory);
            } else {
                std::printf("%-16s %12s\n", one->name().c_str(), "has ended");
            }
        }
        if (found.contains(ours)) ours_kept.judge(*cell, found[ours]);
        std::fflush(stdout);
    }
    return ours_kept.print_sum();
}

}  // namespace strandline::bench
