// Your own consumer loop in virtual time: a day of heartbeats, a broker that stops, a crash at the worst moment, in
// milliseconds, and the same again whenever you like.
#pragma once

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <strandline/consumer_config.hpp>
#include <strandline/coroutine.hpp>
#include <strandline/export.hpp>
#include <strandline/offsets.hpp>
#include <strandline/testkit/fake_cluster.hpp>
#include <strandline/testkit/simulated_task.hpp>

namespace strandline::testkit {
namespace sim {
class application;
}

inline namespace v0 {

struct simulation_config {
    // Decides what is left open: how long the network takes, who is first. The same seed, the same run.
    std::uint64_t seed = 1;
    std::vector<fake_topic> topics = {};
    int brokers = 1;
    std::chrono::milliseconds session_timeout = std::chrono::seconds(45);
    std::chrono::milliseconds heartbeat_interval = std::chrono::seconds(5);
};

// What a loop is given: its consumer, and time. Valid until its process ends.
class STRANDLINE_API simulated_process_handle {
public:
    explicit simulated_process_handle(sim::application& whose) noexcept : application_(&whose) {}

    coroutine_consumer& consumer() const;
    // Since the simulation began.
    std::chrono::milliseconds elapsed() const;

    // co_await self.sleep(3s): what your loop does with records takes time too.
    class STRANDLINE_API nap {
    public:
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> whom) const;
        void await_resume() const noexcept {}

    private:
        friend class simulated_process_handle;
        nap(sim::application& whose, std::chrono::milliseconds time) noexcept : application_(&whose), time_(time) {}
        sim::application* application_;
        std::chrono::milliseconds time_;
    };
    nap sleep(std::chrono::milliseconds time) const noexcept { return nap(*application_, time); }

private:
    sim::application* application_;
};

// A Kafka cluster, a network and applications, in one thread. Nothing happens but in run_for() and run_until(), and no
// call here takes real time. Not for use by several threads.
class STRANDLINE_API simulation {
public:
    // Begins with each life of its process. It must not refer to what goes away before the simulation.
    using loop = std::function<simulated_task<>(simulated_process_handle self)>;

    explicit simulation(const simulation_config& config = {});
    ~simulation();
    simulation(const simulation&) = delete;
    simulation& operator=(const simulation&) = delete;

    // ---- time. Throws std::runtime_error if something goes round and round without letting time pass.
    void run_for(std::chrono::milliseconds time);
    // Looked at after each event; false: it did not hold within `limit`.
    bool run_until(const std::function<bool()>& holds, std::chrono::milliseconds limit);
    std::chrono::milliseconds elapsed() const;

    // ---- the cluster. Throws std::invalid_argument for what is not there.
    void create_topic(const fake_topic& topic);
    // As one batch; the offset of the first.
    std::int64_t produce(const std::string& topic, std::int32_t partition, const std::vector<fake_record>& records);
    std::int64_t end_offset(const std::string& topic, std::int32_t partition);
    offsets committed(const std::string& group);
    std::vector<std::string> members(const std::string& group);

    // ---- applications, numbered from 1 in the order of their start
    // Bootstrap servers may be left empty. Throws strandline::exception with what is wrong with the configuration.
    int start(const consumer_config& config, loop what);
    bool is_running(int application) const;
    // What its loop let escape, in words; empty if nothing did.
    std::string failure(int application) const;
    // Its process is gone, without close, wherever its loop stands.
    void crash(int application);
    // A new process, in which the loop begins anew.
    void restart(int application);

    // ---- what goes wrong, from now on, for so long
    void stop_broker(int broker, std::chrono::milliseconds lasts);
    // Its connections stay open; nothing is answered.
    void pause_broker(int broker, std::chrono::milliseconds lasts);
    // Nothing arrives, either way.
    void cut_network(int broker, std::chrono::milliseconds lasts);
    // The next `count` requests of that kind are refused with one of Kafka's error codes.
    void refuse(api what, std::int16_t error_code, int count = 1);

private:
    class inside;
    std::unique_ptr<inside> inside_;
};

}  // namespace v0
}  // namespace strandline::testkit
