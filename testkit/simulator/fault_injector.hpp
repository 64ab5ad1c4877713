// Carries out a fault plan on a simulated world.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "testkit/simulator/event_queue.hpp"
#include "testkit/simulator/fault_plan.hpp"
#include "testkit/simulator/group_watch.hpp"
#include "testkit/simulator/log_writer.hpp"
#include "testkit/simulator/observations.hpp"
#include "testkit/simulator/simulated_cluster.hpp"
#include "testkit/simulator/simulated_network.hpp"

namespace strandline::testkit::sim {

// The applications of a world, as faults reach them. `number` 0 means all of them.
class fault_subjects {
public:
    // Network, time and memory of its process; null: no such application, or it has none at the moment.
    virtual network_user* user(std::int32_t number) = 0;
    // What concerns one application rather than the world.
    virtual void suffer(std::int32_t number, const fault& what) = 0;

protected:
    ~fault_subjects() = default;
};

class fault_injector final : public event_target {
public:
    fault_injector(event_queue& queue, simulated_network& network, simulated_cluster& cluster, log_writer& logs,
                   group_watch& groups, observations& told, fault_subjects& subjects)
        : queue_(queue),
          network_(network),
          cluster_(cluster),
          logs_(logs),
          groups_(groups),
          told_(told),
          subjects_(subjects) {}

    // At `what.at` from the beginning of the simulation, or now if that is over.
    void schedule(const fault& what);
    // Now.
    void inject(const fault& what);
    // Everything that lasts is over; `all_healed` is told.
    void heal();

    // How often each kind was injected.
    const std::map<fault_kind, std::uint64_t>& injected() const noexcept { return injected_; }

private:
    struct active {
        fault what;
        base::instant until;
        std::uint64_t hook = 0;  // of the fake cluster
        bool over = false;
    };
    void on_event(std::uint64_t what) override;
    void begin(std::size_t index);
    void end(std::size_t index);
    void on_network_of(protocol::broker_id broker, const fault& what, base::instant until);
    void on_names(protocol::broker_id broker, const fault& what, base::instant until);
    void on_answers(std::size_t index);
    void on_bytes_of_answers(std::size_t index);
    void on_logs(const fault& what);
    template <class Do>
    void each_broker(const fault& what, Do&& act);
    template <class Do>
    void each_partition(const fault& what, Do&& act);

    event_queue& queue_;
    simulated_network& network_;
    simulated_cluster& cluster_;
    log_writer& logs_;
    group_watch& groups_;
    observations& told_;
    fault_subjects& subjects_;
    std::vector<active> faults_;
    std::map<fault_kind, std::uint64_t> injected_;
};

}  // namespace strandline::testkit::sim
