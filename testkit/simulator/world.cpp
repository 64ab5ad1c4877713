#include "testkit/simulator/world.hpp"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace strandline::testkit::sim {

namespace {

// More events than this at one instant, or within one second, mean that something does not come to rest.
constexpr std::uint64_t events_at_once = 100'000;
constexpr std::uint64_t events_in_a_second = 500'000;

fake::cluster_options options_of(const world_config& config) {
    fake::cluster_options options;
    options.brokers = config.brokers;
    options.cluster_id = "simulated-cluster";
    options.seed = config.seed;
    options.racks = config.racks;
    options.auto_create_topics = false;
    options.groups.session_timeout = config.session_timeout;
    options.groups.heartbeat_interval = config.heartbeat_interval;
    return options;
}

}  // namespace

world::world(const world_config& config)
    : config_(config),
      weather_(config.seed, 1),
      network_(queue_, weather_),
      cluster_(queue_, network_, clock_, options_of(config)),
      logs_(cluster_, clock_, told_),
      groups_(cluster_, logs_, told_),
      faults_(queue_, network_, cluster_, logs_, groups_, told_, *this) {
    if (!config.checked) return;
    checks_.emplace();
    told_.report_to(*checks_);
}

world::~world() = default;

// ---- time

bool world::step(base::instant limit) {
    if (unrest_ || !queue_.step(limit)) return false;
    if (now() >= second_begun_ + std::chrono::seconds(1)) {
        second_begun_ = now();
        events_before_ = queue_.events();
    }
    if (queue_.events_of_this_instant() > events_at_once || queue_.events() - events_before_ > events_in_a_second) {
        unrest_ = fmt::format("time stands still at {:.3f} s: {} events at this instant, {} in the last second{}",
                              std::chrono::duration<double>(elapsed()).count(), queue_.events_of_this_instant(),
                              queue_.events() - events_before_, who_is_busy());
    }
    return true;
}

std::string world::who_is_busy() {
    std::string all;
    for (const auto& one : applications_) {
        all += fmt::format("; {}: {} turns, {} wakes", one->name(), one->turns(), one->wakeups());
    }
    return all;
}

void world::run_to(base::instant when) {
    while (step(when)) {
    }
}

bool world::run_until(const std::function<bool()>& holds, base::duration limit) {
    const auto end = now() + limit;
    while (!holds()) {
        if (!step(end)) return holds();
    }
    return true;
}

// ---- topics and records

const fake::partition_log& world::log(const std::string& topic, std::int32_t partition) {
    auto* const known = cluster_.state().find_topic(topic);
    const auto* const found = known ? known->find(partition) : nullptr;
    if (!found) throw std::invalid_argument(fmt::format("the simulation has no partition {}-{}", topic, partition));
    return found->log;
}

// ---- applications

std::string world::bootstrap_servers() {
    std::string servers;
    for (const auto& [id, broker] : cluster_.state().brokers()) {
        servers += fmt::format("{}{}:{}", servers.empty() ? "" : ",", broker.host, broker.port);
    }
    return servers;
}

application& world::start(consumer_config config, program what) {
    if (config.bootstrap_servers.empty()) config.bootstrap_servers = bootstrap_servers();
    surroundings around{queue_,
                        network_,
                        told_,
                        logs_,
                        checks_ ? &checks_->known() : nullptr,
                        config_.seed,
                        [this](application& made) {
                            if (on_start_) on_start_(made);
                        },
                        [this](application& turned) {
                            if (on_turn_) on_turn_(turned);
                        },
                        [this](application& ended) {
                            if (on_end_) on_end_(ended);
                        }};
    applications_.push_back(
        std::make_unique<application>(std::move(around), applications() + 1, std::move(config), std::move(what)));
    auto& made = *applications_.back();
    restart(made);
    return made;
}

// ---- faults

network_user* world::user(std::int32_t number) {
    if (number < 1 || number > applications()) return nullptr;
    auto* const process = app(number).process();
    return process ? &process->end_of_network() : nullptr;
}

void world::suffer(std::int32_t number, const fault& what) {
    for (std::int32_t each = 1; each <= applications(); ++each) {
        if (number == 0 || each == number) suffer(app(each), what);
    }
}

void world::suffer(application& whom, const fault& what) {
    auto& mood = whom.mood();
    const auto until = now() + what.lasts;
    switch (what.what) {
        case fault_kind::slow_callbacks:
            mood.slow_callbacks_until = until;
            mood.callback_delay = what.delay;
            break;
        case fault_kind::throwing_callbacks: mood.throwing_until = until; break;
        case fault_kind::slow_application:
            mood.slow_until = until;
            mood.delay_between_polls = what.delay;
            break;
        case fault_kind::seek: mood.seek_back = what.amount; break;
        case fault_kind::pause: mood.paused_until = until; break;
        case fault_kind::wakeup:
            if (whom.is_running()) {
                told_.tell(whom.id(), observed::wakeup_called{});
                whom.consumer().wakeup();
            }
            break;
        case fault_kind::resubscribe: mood.resubscribe_after = what.lasts; break;
        case fault_kind::close: mood.close_for = what.lasts; break;
        case fault_kind::crash:
            whom.crash();
            actions_.at(until, [this, &whom] {
                if (!whom.is_running()) restart(whom);
            });
            break;
        case fault_kind::wall_jump:
            if (auto* const process = whom.process()) process->time().jump_wall(what.delay);
            break;
        case fault_kind::fail_allocation:
            if (auto* const process = whom.process()) process->fail_allocation(what.amount);
            break;
        case fault_kind::stall: whom.stand_still(until); break;
        default: break;
    }
    if (wish_) wish_(whom, what);
}

// ---- looking

std::vector<complaint> world::complaints(bool at_end) {
    std::vector<complaint> all;
    if (unrest_) all.push_back({"simulator", *unrest_});
    if (!checks_) return all;
    if (at_end) checks_->at_end(now());
    for (const auto& one : checks_->findings()) all.push_back({one.checker, in_words(one, checks_->known())});
    return all;
}

offsets world::committed(const std::string& group) {
    offsets found;
    const auto* const known = cluster_.core().groups().find(group);
    if (!known) return found;
    for (const auto& [partition, offset] : known->offsets) {
        const auto* const topic = cluster_.state().find_topic(partition.first);
        if (!topic) continue;
        offset_and_metadata shown(offset.offset, std::nullopt, offset.metadata);
        if (offset.leader_epoch >= 0) shown.leader_epoch = offset.leader_epoch;
        found.emplace(topic_partition{topic->name, partition.second}, std::move(shown));
    }
    return found;
}

std::vector<std::string> world::members(const std::string& group) {
    std::vector<std::string> ids;
    if (const auto* const known = cluster_.core().groups().find(group)) {
        for (const auto& [id, member] : known->members) ids.push_back(id);
    }
    return ids;
}

}  // namespace strandline::testkit::sim
