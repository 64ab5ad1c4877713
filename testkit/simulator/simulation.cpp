#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <strandline/testkit/simulation.hpp>

#include "testkit/fake_cluster/produced_batch.hpp"
#include "testkit/simulator/world.hpp"

namespace strandline::testkit::inline v0 {

namespace {

using std::chrono::milliseconds;

// No simulation ends before; a wait without end looks at this instant.
constexpr milliseconds for_ever = std::chrono::hours(24 * 365);

milliseconds whole(base::duration time) { return std::chrono::floor<milliseconds>(time); }

sim::world_config config_of(const simulation_config& config) {
    sim::world_config made;
    made.seed = config.seed;
    made.brokers = config.brokers;
    made.session_timeout = config.session_timeout;
    made.heartbeat_interval = config.heartbeat_interval;
    // The checkers know records by numbers of their own, which a user's do not carry.
    made.checked = false;
    return made;
}

}  // namespace

class simulation::inside {
public:
    explicit inside(const simulation_config& config) : world(config_of(config)) {}

    sim::application& app(int number) {
        if (number < 1 || number > world.applications()) {
            throw std::invalid_argument(fmt::format("the simulation has no application {}", number));
        }
        return world.app(number);
    }
    fake::partition_state& partition(const std::string& topic, std::int32_t number) {
        auto* const known = world.cluster().state().find_topic(topic);
        auto* const found = known ? known->find(number) : nullptr;
        if (!found) throw std::invalid_argument(fmt::format("the simulation has no partition {}-{}", topic, number));
        return *found;
    }
    void inject(sim::fault_kind what, int broker, milliseconds lasts) {
        sim::fault made;
        made.what = what;
        made.broker = broker;
        made.lasts = std::min(lasts, for_ever);
        world.inject(made);
    }

    void insist_on_rest() const {
        if (const auto& found = world.unrest()) throw std::runtime_error(*found);
    }

    sim::world world;
};

coroutine_consumer& simulated_process_handle::consumer() const { return application_->consumer(); }

milliseconds simulated_process_handle::elapsed() const { return whole(application_->now() - sim::first_instant); }

void simulated_process_handle::nap::await_suspend(std::coroutine_handle<> whom) const {
    application_->sleep(time_).await_suspend(whom);
}

simulation::simulation(const simulation_config& config) : inside_(std::make_unique<inside>(config)) {
    for (const auto& topic : config.topics) create_topic(topic);
}
simulation::~simulation() = default;

void simulation::run_for(milliseconds time) {
    inside_->world.run_for(std::min(time, for_ever));
    inside_->insist_on_rest();
}

bool simulation::run_until(const std::function<bool()>& holds, milliseconds limit) {
    const bool held = inside_->world.run_until(holds, std::min(limit, for_ever));
    inside_->insist_on_rest();
    return held;
}

milliseconds simulation::elapsed() const { return whole(inside_->world.elapsed()); }

void simulation::create_topic(const fake_topic& topic) {
    inside_->world.create_topic(topic.name, topic.partitions, topic.replication);
}

std::int64_t simulation::produce(const std::string& topic, std::int32_t partition,
                                 const std::vector<fake_record>& records) {
    if (records.empty()) throw std::invalid_argument("nothing to produce");
    auto& found = inside_->partition(topic, partition);
    const auto now = sim::first_wall_time + elapsed();
    const auto offset = found.log.append(fake::batch_of(records, now), found.leader_epoch).base_offset;
    inside_->world.cluster().touched();
    return offset;
}

std::int64_t simulation::end_offset(const std::string& topic, std::int32_t partition) {
    return inside_->partition(topic, partition).log.high_watermark();
}

offsets simulation::committed(const std::string& group) { return inside_->world.committed(group); }

std::vector<std::string> simulation::members(const std::string& group) { return inside_->world.members(group); }

int simulation::start(const consumer_config& config, loop what) {
    const auto& made = inside_->world.start(
        config, [what = std::move(what)](sim::application& self) { return what(simulated_process_handle(self)); });
    return made.number();
}

bool simulation::is_running(int application) const { return inside_->app(application).is_running(); }

std::string simulation::failure(int application) const { return inside_->app(application).failure(); }

void simulation::crash(int application) { inside_->world.crash(inside_->app(application)); }

void simulation::restart(int application) { inside_->world.restart(inside_->app(application)); }

void simulation::stop_broker(int broker, milliseconds lasts) {
    inside_->inject(sim::fault_kind::stop_broker, broker, lasts);
}

void simulation::pause_broker(int broker, milliseconds lasts) {
    inside_->inject(sim::fault_kind::pause_broker, broker, lasts);
}

void simulation::cut_network(int broker, milliseconds lasts) {
    inside_->inject(sim::fault_kind::black_hole, broker, lasts);
}

void simulation::refuse(api what, std::int16_t error_code, int count) {
    sim::fault made;
    made.what = sim::fault_kind::error_answer;
    made.api = static_cast<std::int32_t>(what);
    made.error = error_code;
    made.amount = count;
    made.lasts = for_ever;
    inside_->world.inject(made);
}

}  // namespace strandline::testkit::inline v0
