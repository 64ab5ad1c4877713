#include "tests/simulation/campaign.hpp"

#include <ctime>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace strandline::simulation {

namespace sim = testkit::sim;

namespace {

double cpu_time(clockid_t of) {
    timespec time{};
    clock_gettime(of, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Twice, if wanted, and then both must be the same.
sim::run_result run_once(const sim::fault_plan& plan, const campaign_options& how) {
    auto result = sim::run(plan, {.traced = how.twice || how.traced});
    if (!how.twice) return result;
    const auto again = sim::run(plan, {.traced = true});
    if (again.trace_checksum != result.trace_checksum) {
        result.complaints.push_back({"simulator", fmt::format("seed {} is not the same run twice", plan.seed)});
    }
    return result;
}

class campaign {
public:
    campaign(const std::function<std::optional<sim::fault_plan>()>& next, const campaign_options& how)
        : next_(next), how_(how) {}

    campaign_result run() {
        const auto before = cpu_time(CLOCK_PROCESS_CPUTIME_ID);
        std::vector<std::thread> others;
        for (int i = 1; i < how_.jobs; ++i) others.emplace_back([this] { work(); });
        work();
        for (auto& one : others) one.join();
        for (auto& [index, failure] : failures_) made_.failures.push_back(std::move(failure));
        for (auto& [index, digest] : digests_) made_.digests.push_back(std::move(digest));
        made_.cpu_seconds = cpu_time(CLOCK_PROCESS_CPUTIME_ID) - before;
        return std::move(made_);
    }

private:
    std::optional<std::pair<std::uint64_t, sim::fault_plan>> take() {
        const std::lock_guard held(mutex_);
        if (begun_time_ >= how_.enough) return std::nullopt;
        auto plan = next_();
        if (!plan) return std::nullopt;
        begun_time_ += plan->runs * static_cast<std::int64_t>(plan->consumers.size());
        made_.last_seed = std::max(made_.last_seed, plan->seed);
        return std::pair(begun_++, std::move(*plan));
    }

    void work() {
        while (auto taken = take()) {
            auto& [index, plan] = *taken;
            const auto before = cpu_time(CLOCK_THREAD_CPUTIME_ID);
            auto result = run_once(plan, how_);
            const auto taken_time = cpu_time(CLOCK_THREAD_CPUTIME_ID) - before;
            const std::lock_guard held(mutex_);
            auto& speed = made_.speeds[plan.profile];
            const int times = how_.twice ? 2 : 1;
            speed.runs += result.counts.runs * static_cast<std::uint64_t>(times);
            speed.consumer_time += result.counts.consumer_time * times;
            speed.cpu_seconds += taken_time;
            made_.counts += result.counts;
            made_.reached.add(result.reached);
            if (how_.traced || how_.twice) digests_[index] = {plan.seed, plan.profile, result.trace_checksum};
            if (!result.good()) failures_[index] = {std::move(plan), std::move(result.complaints)};
        }
    }

    const std::function<std::optional<sim::fault_plan>()>& next_;
    campaign_options how_;
    std::mutex mutex_;
    std::uint64_t begun_ = 0;
    base::duration begun_time_{};
    campaign_result made_;
    std::map<std::uint64_t, failed_run> failures_;
    std::map<std::uint64_t, trace_digest> digests_;
};

}  // namespace

campaign_result run_campaign(const std::function<std::optional<sim::fault_plan>()>& next, const campaign_options& how) {
    return campaign(next, how).run();
}

}  // namespace strandline::simulation
