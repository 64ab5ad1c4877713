#include "testkit/simulator/simulated_run.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "testkit/simulator/plan_producers.hpp"
#include "testkit/simulator/plan_program.hpp"
#include "testkit/simulator/situation_watch.hpp"

namespace strandline::testkit::sim {

namespace {

// Written no more: what is there is to be read within this time.
constexpr base::duration catching_up = std::chrono::seconds(20);
// Every application closes its consumer within this time, or twice as long as it may be at work.
constexpr base::duration closing = std::chrono::seconds(20);

class plan_execution {
public:
    plan_execution(const fault_plan& plan, const run_options& options)
        : plan_(plan),
          world_({.seed = plan.seed, .brokers = plan.brokers, .checked = options.checked}),
          producers_(world_.queue(), world_.logs(), plan),
          trace_(options.lines) {
        if (options.traced || options.lines) world_.told().report_to(trace_);
        if (options.checked) world_.told().report_to(situations_);
        world_.on_end([this](application& ended) { start_again(ended); });
    }

    run_result run() {
        producers_.start();
        for (std::int32_t i = 1; i <= static_cast<std::int32_t>(plan_.consumers.size()); ++i) {
            world_.start(config_of(plan_, i), program_of(plan_, i));
        }
        for (const auto& one : plan_.faults) world_.schedule(one);
        world_.network().limit_idle(plan_.idle_limit, plan_.idle_is_forgotten);
        world_.run_to(first_instant + plan_.runs - plan_.calm);
        world_.heal();
        world_.run_to(first_instant + plan_.runs);
        producers_.stop();
        world_.run_for(catching_up);
        ending_ = true;
        for (std::int32_t i = 1; i <= world_.applications(); ++i) world_.app(i).mood().close_for = base::duration(0);
        for (std::int32_t i = 1; i <= world_.applications(); ++i) {
            if (!world_.app(i).is_running()) continue;
            world_.told().tell(world_.app(i).process()->id(), observed::wakeup_called{});
            world_.app(i).consumer().wakeup();
        }
        auto time = closing;
        for (const auto& one : plan_.consumers) time = std::max(time, 2 * one.work);
        world_.run_for(time);
        return finish();
    }

private:
    // Its program closed the consumer, because it was told to or because there was no use in it any more.
    void start_again(application& ended) {
        if (ending_) return;
        const auto pause = std::exchange(ended.mood().close_for, std::nullopt).value_or(base::duration(0));
        world_.at(world_.elapsed() + pause + std::chrono::milliseconds(1), [this, &ended] {
            if (!ended.is_running() && !ending_) world_.restart(ended);
        });
    }

    run_result finish() {
        run_result made;
        made.complaints = world_.complaints(true);
        auto& counts = made.counts;
        counts.runs = 1;
        for (std::int32_t i = 1; i <= world_.applications(); ++i) {
            auto& one = world_.app(i);
            counts.consumer_time += world_.elapsed();
            counts.records += one.records();
            counts.turns += one.turns();
            if (!one.failure().empty()) {
                made.complaints.push_back({"simulator", fmt::format("{} failed: {}", one.name(), one.failure())});
            }
            if (one.is_running() && made.complaints.empty()) {
                made.complaints.push_back({"simulator", fmt::format("{} did not close its consumer", one.name())});
            }
        }
        counts.records_written = world_.logs().records_written();
        counts.events = world_.queue().events();
        for (const auto& [kind, times] : world_.faults().injected()) {
            counts.faults += times;
            made.reached.reach(fmt::format("fault {}", to_string(kind)), times);
        }
        for (const auto& [answer, times] : world_.cluster().core().errors_given()) {
            made.reached.reach(situation_of(answer.first, answer.second), times);
        }
        situations_.add_to(made.reached);
        made.trace_checksum = trace_.checksum();
        return made;
    }

    const fault_plan& plan_;
    world world_;
    plan_producers producers_;
    trace trace_;
    situation_watch situations_;
    bool ending_ = false;
};

}  // namespace

run_counts& run_counts::operator+=(const run_counts& other) noexcept {
    runs += other.runs;
    consumer_time += other.consumer_time;
    records += other.records;
    records_written += other.records_written;
    faults += other.faults;
    turns += other.turns;
    events += other.events;
    return *this;
}

run_result run(const fault_plan& plan, const run_options& options) { return plan_execution(plan, options).run(); }

}  // namespace strandline::testkit::sim
