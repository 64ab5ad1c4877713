// As many records as go through: records per second and processor time per record, as ratios to the best peer.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/runner/bench_run.hpp"
#include "tests/bench/sample_log.hpp"

namespace strandline::bench {
namespace {

struct figures {
    std::vector<double> rate;       // million records a second
    std::vector<double> processor;  // nanoseconds a record
};

// Every partition was read from its beginning, in order, each record.
void check(const std::string& name, const values& result, const sample_log& log, std::int64_t partitions) {
    if (number(result, "out-of-order") != 0) throw std::runtime_error(name + " lost records or their order");
    for (std::int64_t i = 0; i < partitions; ++i) {
        const auto& part = result.at(std::to_string(i));
        const auto colon = part.find(':');
        const auto records = std::stoll(part.substr(0, colon));
        const auto sum = std::stoull(part.substr(colon + 1));
        if (sum != log.sum_of_first(records)) throw std::runtime_error(name + " read something else than was sent");
    }
    if (number(result, "records") <= 0) throw std::runtime_error(name + " read nothing");
}

std::vector<double> ratios(const std::vector<double>& over, const std::vector<double>& under) {
    std::vector<double> each;
    for (std::size_t round = 0; round < over.size(); ++round) each.push_back(over[round] / under[round]);
    return each;
}

// The peer with the best median of one figure.
template <class Better>
const client* best_peer(const bench_run& run, const std::map<std::string, figures>& measured,
                        std::vector<double> figures::* figure, Better better) {
    const client* best = nullptr;
    const auto median = [&](const client& one) { return spread::of(measured.at(one.name).*figure).median; };
    for (const auto& one : run.clients()) {
        if (one.is_peer() && (!best || better(median(one), median(*best)))) best = &one;
    }
    return best;
}

void print(const bench_run& run, std::map<std::string, figures>& measured) {
    print_head({"million records/s", "ns of processor/record"});
    for (const auto& one : run.clients()) {
        const auto& its = measured[one.name];
        print_row(one.name, {spread::of(its.rate), spread::of(its.processor)}, 2);
    }
    if (!measured.contains(ours)) return;
    const auto& our = measured[ours];
    if (const auto* fastest = best_peer(run, measured, &figures::rate, std::greater<>())) {
        const auto* thriftiest = best_peer(run, measured, &figures::processor, std::less<>());
        print_head({"times as fast", "times less processor"});
        print_row("over the best",
                  {spread::of(ratios(our.rate, measured[fastest->name].rate)),
                   spread::of(ratios(measured[thriftiest->name].processor, our.processor))},
                  2);
        std::printf("the best peers: %s by speed, %s by processor time\n", fastest->name.c_str(),
                    thriftiest->name.c_str());
    }
    if (measured.contains(ideal)) {
        print_row("of the ideal",
                  {spread::of(ratios(our.rate, measured[ideal].rate)),
                   spread::of(ratios(measured[ideal].processor, our.processor))},
                  2);
    }
}

}  // namespace

int run_flood(options& given) {
    const bench_run run(given, true);
    const auto size = given.text("value-size", "100");
    const auto codec = given.text("codec", "none");
    const auto batch = given.text("batch-bytes", codec == "none" ? "16384" : "65536");
    const auto partitions = given.text("partitions", "8");
    const auto warm_up = given.text("warm-up", "3");
    const auto seconds = given.text("seconds", "3");
    run.introduce(given, "flood: values of " + size + " bytes, codec " + codec + ", batches of " + batch + " bytes, " +
                             partitions + " partitions by hand, " + seconds + " s after " + warm_up + " s of warm-up");

    const sample_log log(
        {.value_size = std::stoul(size), .codec = codec_named(codec), .batch_bytes = std::stoul(batch)});
    const auto [broker, address] = run.start_broker({"--mode", "flood", "--value-size", size, "--codec", codec,
                                                     "--batch-bytes", batch, "--partitions", partitions});
    std::map<std::string, figures> measured;
    for (int round = 0; round < run.rounds(); ++round) {
        for (const auto& one : run.clients()) {
            const auto process = run.start(one, "flood", address,
                                           {"--topic", "bench", "--group", "bench-" + one.name, "--partitions",
                                            partitions, "--warm-up", warm_up, "--seconds", seconds});
            const auto result = run.result_of(*process, std::stod(warm_up) + std::stod(seconds) + 30);
            check(one.name, result, log, std::stoll(partitions));
            const auto records = number(result, "records");
            measured[one.name].rate.push_back(records / number(result, "seconds") * 1e-6);
            measured[one.name].processor.push_back(number(result, "processor") / records * 1e9);
        }
    }
    print(run, measured);
    return 0;
}

}  // namespace strandline::bench
