// A process of the simulation: its clock, its sockets, and the reactor that turns in it when virtual time says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/random_source.hpp"
#include "client/runtime.hpp"
#include "reactor/reactor.hpp"
#include "testkit/simulator/event_queue.hpp"
#include "testkit/simulator/observations.hpp"
#include "testkit/simulator/order_twin.hpp"
#include "testkit/simulator/seeded_choice.hpp"
#include "testkit/simulator/simulated_network.hpp"
#include "testkit/simulator/virtual_clock.hpp"

namespace strandline::testkit::sim {

struct process_counts {
    std::uint64_t turns = 0;
    std::uint64_t signals = 0;     // of the application to the reactor
    std::uint64_t timer_turns = 0;
    std::uint64_t bytes_received = 0;
};

// Outlives the consumer in it, so that an event that comes too late finds somebody who drops it.
class simulated_process final : public event_target,
                                network_user,
                                reactor::transport,
                                reactor::resolver,
                                reactor::turn_scheduler,
                                handoff::reactor_waker {
public:
    simulated_process(consumer_id id, std::uint32_t application, event_queue& queue, simulated_network& network,
                      observations& told, seeded_choice schedule, std::uint64_t random_seed);
    ~simulated_process() override;
    simulated_process(const simulated_process&) = delete;
    simulated_process& operator=(const simulated_process&) = delete;

    consumer_id id() const noexcept { return id_; }
    virtual_clock& time() noexcept { return clock_; }
    // Nothing of it moves before then.
    void stand_still(base::instant until);
    base::instant stands_still_until() const override { return still_until_; }
    // The so-manieth allocation from now, of those that its consumer makes while the process is at work; 0: none.
    void fail_allocation(std::int64_t which) noexcept { allocations_left_ = which; }

    // What client/ builds a consumer with; at most one consumer at a time.
    std::unique_ptr<client::runtime> start(const core::boundary::core_config& config, handoff::handoff& meeting);
    bool is_running() const noexcept { return running_ != nullptr; }
    // The consumer's meeting point while it runs, for looking; null otherwise.
    const handoff::handoff* meeting() const noexcept { return running_ ? meeting_ : nullptr; }
    // Shown every turn of the consumer that is started next; outlives the process.
    void look_on(core::turn_probe* probe) noexcept { probe_ = probe; }
    // Given what the consumer that is started next is given; outlives the process.
    void accompany(order_twin* twin) noexcept { twin_ = twin; }
    // After each turn.
    void on_turn(std::function<void()> look) { look_ = std::move(look); }

    const process_counts& counts() const noexcept { return counts_; }
    network_user& end_of_network() noexcept { return *this; }
    std::size_t connections() const { return network_.connections_of(*this); }
    std::size_t open_queries() const noexcept { return queries_.size(); }
    // What ended the reactor before its time, if anything did.
    const std::optional<std::string>& failure() const noexcept { return failure_; }

private:
    class inhabitant;
    enum class event : std::uint8_t { turn, timer, name };
    static std::uint64_t name_of(event what, std::uint64_t detail) {
        return (detail << 2U) | static_cast<std::uint64_t>(what);
    }

    void on_event(std::uint64_t what) override;
    void turn();
    // An input of the reactor; what escapes from it ends the consumer, as on its thread in production.
    template <class Input>
    void work(Input&& input);
    void fail(const std::exception& why);
    void stop();
    void saw_effect(observed::effect_kind what);
    void saw_order(core::connection::network_order what);

    // ---- handoff::reactor_waker
    void signal() noexcept override;
    // ---- reactor::turn_scheduler
    void turn_soon() override;
    void turn_at(base::instant when) override;
    // ---- reactor::transport
    void open(core::connection::connection_id id, const core::connection::ip_endpoint& to) override;
    void write(core::connection::connection_id id, base::shared_bytes bytes) override;
    void close(core::connection::connection_id id) override;
    // ---- reactor::resolver
    void resolve(core::connection::query_id id, const core::boundary::host_port& name) override;
    void answer_name(core::connection::query_id id);
    // ---- reactor::port_events, from the network
    void on_network(core::connection::network_event event) override;
    std::span<std::byte> receive_room(core::connection::connection_id id) override;
    std::size_t bytes_missing(core::connection::connection_id id) override;
    void on_received(core::connection::connection_id id, std::size_t bytes) override;

    consumer_id id_;
    std::uint32_t application_;
    event_queue& queue_;
    simulated_network& network_;
    observations& told_;
    virtual_clock clock_;
    seeded_choice schedule_;
    std::uint64_t random_seed_;
    base::seeded_random random_;
    handoff::handoff* meeting_ = nullptr;
    std::unique_ptr<reactor::reactor> running_;
    std::function<void()> look_;
    core::turn_probe* probe_ = nullptr;
    order_twin* twin_ = nullptr;
    std::vector<core::connection::network_order> orders_;  // of this turn, for the twin
    std::span<std::byte> room_;                            // where the network reads to

    base::instant still_until_{};
    std::int64_t allocations_left_ = 0;
    bool soon_ = false;
    base::instant armed_ = base::never;  // for this the reactor asked
    base::instant timer_event_ = base::never;  // the earliest timer event that is on its way
    std::map<core::connection::query_id, core::boundary::host_port> queries_;
    process_counts counts_;
    std::optional<std::string> failure_;
};

}  // namespace strandline::testkit::sim
