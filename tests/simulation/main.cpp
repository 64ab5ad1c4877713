// strandline-simulate: the consumer in simulated worlds.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <malloc.h>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/duration_words.hpp"
#include "testkit/simulator/plan_generator.hpp"
#include "testkit/simulator/plan_shrinker.hpp"
#include "testkit/simulator/simulated_run.hpp"
#include "tests/simulation/campaign.hpp"
#include "tests/simulation/options.hpp"
#include "tests/simulation/standard_set.hpp"

namespace strandline::simulation {
namespace {

namespace sim = testkit::sim;

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_failure(const failed_run& failed, bool shrinks) {
    print(fmt::format("FAILED seed {} profile {}: {} complaint(s)\n", failed.plan.seed, failed.plan.profile,
                      failed.complaints.size()));
    for (const auto& one : failed.complaints) print(fmt::format("  {}: {}\n", one.checker, one.words));
    if (!shrinks) return;
    // The same checker must complain, or it is another fault.
    const auto& first = failed.complaints.front().checker;
    const auto shrunk = sim::shrink(failed.plan, [&](const sim::fault_plan& candidate) {
        const auto result = sim::run(candidate);
        return !result.good() && result.complaints.front().checker == first;
    });
    print(fmt::format("shrunk in {} tries to this plan; run it with --plan FILE --trace:\n{}", shrunk.tries,
                      sim::to_string(shrunk.plan)));
    for (const auto& one : sim::run(shrunk.plan).complaints) print(fmt::format("  {}: {}\n", one.checker, one.words));
}

void print_totals(const campaign_result& result) {
    const auto hours = std::chrono::duration<double, std::ratio<3600>>(result.counts.consumer_time).count();
    const auto& counts = result.counts;
    print(fmt::format("{} runs, {:.1f} consumer-hours, {} records read of {} written, {} faults, {} turns, {} events\n",
                      counts.runs, hours, counts.records, counts.records_written, counts.faults, counts.turns,
                      counts.events));
    print(fmt::format("{:<14} {:>7} {:>15} {:>9} {:>28}\n", "profile", "runs", "consumer-hours", "CPU s",
                      "consumer-hours per CPU-hour"));
    for (const auto& [profile, one] : result.speeds) {
        print(fmt::format("{:<14} {:>7} {:>15.1f} {:>9.1f} {:>28.0f}\n", profile, one.runs,
                          std::chrono::duration<double, std::ratio<3600>>(one.consumer_time).count(), one.cpu_seconds,
                          one.hours_per_cpu_hour()));
    }
    print(fmt::format("{:.1f} s of CPU; {} failed\n", result.cpu_seconds, result.failures.size()));
}

void write_results(const std::string& file, const campaign_result& result) {
    std::ofstream out(file);
    const auto& counts = result.counts;
    out << fmt::format("runs={}\nconsumer_seconds={}\nrecords={}\nfaults={}\nturns={}\nlast_seed={}\nfailed={}\n",
                       counts.runs, std::chrono::duration_cast<std::chrono::seconds>(counts.consumer_time).count(),
                       counts.records, counts.faults, counts.turns, result.last_seed, result.failures.size());
    for (const auto& one : result.failures) {
        out << fmt::format("failed_seed={} {} {}\n", one.plan.seed, one.plan.profile, one.complaints.front().checker);
    }
}

void print_situations(const sim::situations& reached) {
    for (const auto& [name, times] : reached.counts()) print(fmt::format("{:>10}  {}\n", times, name));
}

int finish(const campaign_result& result, const options& asked) {
    if (asked.lists_situations) print_situations(result.reached);
    if (asked.digests) {
        for (const auto& one : result.digests) {
            print(fmt::format("trace {:016x} seed {} profile {}\n", one.checksum, one.seed, one.profile));
        }
    }
    for (const auto& one : result.failures) print_failure(one, asked.shrinks);
    print_totals(result);
    if (!asked.results_file.empty()) write_results(asked.results_file, result);
    return result.failures.empty() ? 0 : 1;
}

int run_one(const sim::fault_plan& plan, const options& asked) {
    print(fmt::format("seed {} profile {}\n", plan.seed, plan.profile));
    if (asked.shows_plan) print(sim::to_string(plan));
    if (asked.trace) {
        static_cast<void>(sim::run(plan, {.lines = [](std::string_view line) { print(fmt::format("{}\n", line)); }}));
    }
    std::optional<sim::fault_plan> next = plan;
    const auto result = run_campaign([&] { return std::exchange(next, std::nullopt); },
                                     {.twice = asked.twice, .traced = asked.digests});
    return finish(result, asked);
}

int run_file(const options& asked) {
    std::ifstream file(asked.plan_file);
    if (!file) {
        std::fputs(fmt::format("strandline-simulate: cannot read {}\n", asked.plan_file).c_str(), stderr);
        return 2;
    }
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const auto plan = sim::parse_plan(text);
    if (!plan) {
        std::fputs(fmt::format("strandline-simulate: {}: {}\n", asked.plan_file, plan.error().message()).c_str(),
                   stderr);
        return 2;
    }
    return run_one(*plan, asked);
}

int run_many(const options& asked) {
    auto seed = asked.first_seed.value_or(1);
    const auto last = asked.hours ? UINT64_MAX : asked.last_seed;
    print(fmt::format("from seed {} profile {}\n", seed, asked.profile));
    campaign_options how{.jobs = asked.jobs, .twice = asked.twice, .traced = asked.digests};
    if (asked.hours) how.enough = base::duration(static_cast<std::int64_t>(*asked.hours * 3.6e12));
    const auto result = run_campaign(
        [&]() -> std::optional<sim::fault_plan> {
            if (seed > last) return std::nullopt;
            return sim::make_plan(seed++, asked.profile);
        },
        how);
    print(fmt::format("to seed {}\n", result.last_seed));
    return finish(result, asked);
}

int run_standard(options asked) {
    const auto result = run_standard_set(STRANDLINE_SIMULATION_LISTS, asked.jobs);
    print_situations(result.runs.reached);
    asked.lists_situations = false;
    for (const auto& [checker, times] : result.open)
        print(fmt::format("{:>10}  open complaints of {}\n", times, checker));
    const auto& situations = result.situations;
    for (const auto& one : situations.rare_not_reached) print(fmt::format("{:>10}  {}\n", "rare", one));
    print(fmt::format("situations: {} listed, {} reached, {} that cannot be, {} rare ones not reached\n",
                      situations.listed, situations.reached, situations.impossible,
                      situations.rare_not_reached.size()));
    for (const auto& one : situations.wrong) print(fmt::format("SITUATIONS: {}\n", one));
    return finish(result.runs, asked) != 0 || !situations.wrong.empty() ? 1 : 0;
}

int run(const std::vector<std::string>& words) {
    const auto asked = parse_options(words);
    if (!asked) {
        std::fputs(fmt::format("strandline-simulate: {}\n", asked.error().message()).c_str(), stderr);
        return 2;
    }
    if (asked->help) {
        print(usage());
        return 0;
    }
    if (asked->lists_checkers) {
        print(sim::checked_properties_in_words());
        return 0;
    }
    if (asked->standard) return run_standard(*asked);
    if (!asked->plan_file.empty()) return run_file(*asked);
    if (asked->first_seed && *asked->first_seed == asked->last_seed && !asked->hours) {
        return run_one(sim::make_plan(*asked->first_seed, asked->profile), *asked);
    }
    return run_many(*asked);
}

}  // namespace
}  // namespace strandline::simulation

int main(int count, char** arguments) {
    // Worlds come and go: what one gives back the next one takes, and the system need not see it.
    mallopt(M_TRIM_THRESHOLD, 1 << 30);  // NOLINT(concurrency-mt-unsafe): before there is another thread
    mallopt(M_MMAP_THRESHOLD, 1 << 30);  // NOLINT(concurrency-mt-unsafe): as above
    return strandline::simulation::run(std::vector<std::string>(arguments + 1, arguments + count));
}
