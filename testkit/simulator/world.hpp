// A whole simulation: brokers, their logs, a network, applications with their consumers, and time. One thread; the same
// seed and the same calls give the same run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <strandline/consumer_config.hpp>
#include <strandline/offsets.hpp>

#include "testkit/simulator/application.hpp"
#include "testkit/simulator/checkers/check_run.hpp"
#include "testkit/simulator/event_queue.hpp"
#include "testkit/simulator/fault_injector.hpp"
#include "testkit/simulator/fault_plan.hpp"
#include "testkit/simulator/group_watch.hpp"
#include "testkit/simulator/log_writer.hpp"
#include "testkit/simulator/observations.hpp"
#include "testkit/simulator/scheduled_actions.hpp"
#include "testkit/simulator/simulated_cluster.hpp"
#include "testkit/simulator/simulated_network.hpp"
#include "testkit/simulator/virtual_clock.hpp"

namespace strandline::testkit::sim {

struct world_config {
    std::uint64_t seed = 1;
    int brokers = 1;
    std::vector<std::string> racks = {};  // by broker
    base::duration session_timeout = std::chrono::seconds(45);
    base::duration heartbeat_interval = std::chrono::seconds(5);
    // Every checker looks on; complaints() says what they found. What is written then goes through logs(), which tells
    // them the truth.
    bool checked = false;
};

// One thing that should not have been.
struct complaint {
    std::string checker;  // "V7", or "simulator" for what has no checker of its own
    std::string words;
};

class world final : fault_subjects {
public:
    explicit world(const world_config& config = {});
    ~world();
    world(const world&) = delete;
    world& operator=(const world&) = delete;

    // ---- time
    base::instant now() const noexcept { return queue_.now(); }
    base::duration elapsed() const noexcept { return now() - first_instant; }
    void run_for(base::duration time) { run_to(now() + time); }
    void run_to(base::instant when);
    // Until it holds, looked at after each event; false: it did not within `limit`.
    bool run_until(const std::function<bool()>& holds, base::duration limit);
    // At this time from the beginning.
    void at(base::duration elapsed, std::function<void()> action) {
        actions_.at(first_instant + elapsed, std::move(action));
    }

    // ---- topics and records
    void create_topic(const std::string& name, std::int32_t partitions = 1, std::int16_t replication = 1) {
        logs_.create_topic(name, partitions, replication);
    }
    // One batch.
    void produce(const std::string& topic, std::int32_t partition, std::int32_t records = 1) {
        logs_.append(topic, partition, {.records = records});
    }
    log_writer& logs() noexcept { return logs_; }
    // The log itself; throws std::invalid_argument if there is none.
    const fake::partition_log& log(const std::string& topic, std::int32_t partition);

    // ---- applications, numbered from 1. Bootstrap servers are filled in if there are none.
    application& start(consumer_config config, program what);
    application& app(std::int32_t number) { return *applications_.at(static_cast<std::size_t>(number - 1)); }
    std::int32_t applications() const noexcept { return static_cast<std::int32_t>(applications_.size()); }
    void crash(application& whom) { whom.crash(); }
    // A new process, in which its program begins anew.
    void restart(application& whom) { whom.start(next_consumer()); }
    // "broker-1:9092,broker-2:9092".
    std::string bootstrap_servers();

    // ---- faults
    void schedule(const fault& what) { faults_.schedule(what); }
    void inject(const fault& what) { faults_.inject(what); }
    void heal() { faults_.heal(); }
    fault_injector& faults() noexcept { return faults_; }
    // As fake_cluster_core::intercept.
    std::uint64_t intercept(protocol::api_key api, fake::interceptor hook) {
        return cluster_.core().intercept(api, std::move(hook));
    }
    void forget_interceptor(std::uint64_t id) { cluster_.core().forget_interceptor(id); }
    void on_wish(std::function<void(application&, const fault&)> carry_out) { wish_ = std::move(carry_out); }

    // ---- looking
    offsets committed(const std::string& group);
    std::vector<std::string> members(const std::string& group);
    std::uint64_t requests(protocol::api_key api) { return cluster_.core().requests_seen(api); }
    simulated_cluster& cluster() noexcept { return cluster_; }
    simulated_network& network() noexcept { return network_; }
    observations& told() noexcept { return told_; }
    event_queue& queue() noexcept { return queue_; }
    // Whom turns concern: after each turn of each application.
    void on_turn(std::function<void(application&)> look) { on_turn_ = std::move(look); }
    void on_start(std::function<void(application&)> look) { on_start_ = std::move(look); }
    void on_end(std::function<void(application&)> look) { on_end_ = std::move(look); }
    // What the simulation itself found: something that does not come to rest.
    const std::optional<std::string>& unrest() const noexcept { return unrest_; }
    // What the checkers found so far; `at_end`: also what should have happened by now and has not.
    std::vector<complaint> complaints(bool at_end = false);

private:
    consumer_id next_consumer() { return consumer_id(++consumers_); }
    bool step(base::instant limit);
    std::string who_is_busy();
    network_user* user(std::int32_t number) override;
    void suffer(std::int32_t number, const fault& what) override;
    void suffer(application& whom, const fault& what);

    world_config config_;
    event_queue queue_{first_instant};
    seeded_choice weather_;
    virtual_clock clock_{queue_};
    observations told_{queue_};
    std::optional<check_run> checks_;
    simulated_network network_;
    simulated_cluster cluster_;
    log_writer logs_;
    group_watch groups_;
    scheduled_actions actions_{queue_};
    fault_injector faults_;
    std::vector<std::unique_ptr<application>> applications_;
    std::uint32_t consumers_ = 0;
    base::instant second_begun_ = first_instant;
    std::uint64_t events_before_ = 0;
    std::function<void(application&)> on_turn_;
    std::function<void(application&)> on_start_;
    std::function<void(application&)> on_end_;
    std::function<void(application&, const fault&)> wish_;
    std::optional<std::string> unrest_;
};

}  // namespace strandline::testkit::sim
