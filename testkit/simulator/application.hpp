// One application of a simulation: a program, as a coroutine, with a consumer of its own, in a process of its own that
// may crash and start again.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <strandline/consumer_config.hpp>
#include <strandline/coroutine.hpp>
#include <strandline/testkit/simulated_task.hpp>

#include "testkit/simulator/application_mood.hpp"
#include "testkit/simulator/call_watch.hpp"
#include "testkit/simulator/checkers/core_witness.hpp"
#include "testkit/simulator/simulated_process.hpp"
#include "testkit/simulator/simulated_scheduler.hpp"

namespace strandline::testkit::sim {

template <class Value = void>
using task = simulated_task<Value>;

class application;
using program = std::function<task<>(application&)>;

// What a world gives each of its applications.
struct surroundings {
    event_queue& queue;
    simulated_network& network;
    observations& told;
    const log_writer& logs;
    const truth* known;  // null: nobody looks on while cores turn
    std::uint64_t seed;
    // Called for a new process before its consumer exists, and after each of its turns.
    std::function<void(application&)> on_start;
    std::function<void(application&)> on_turn;
    // Its program has come to its end.
    std::function<void(application&)> on_end;
};

// A consumer whose reactor turns in `where`, and whose coroutines `scheduler` resumes. Throws what is wrong with the
// configuration.
coroutine_consumer make_simulated_consumer(const consumer_config& config, simulated_process& where,
                                           simulated_scheduler& scheduler, call_watch& calls);

class application {
public:
    // The program does not begin before start().
    application(surroundings around, std::int32_t number, consumer_config config, program what);
    ~application();
    application(const application&) = delete;
    application& operator=(const application&) = delete;

    // "application-3", its client id too.
    const std::string& name() const noexcept { return name_; }
    std::int32_t number() const noexcept { return number_; }
    consumer_config& config() noexcept { return config_; }  // of the next start

    // ---- its life
    // A new process, in which the program begins.
    void start(consumer_id id);
    // The process is gone, without close, whatever it was at. Not from inside its own program.
    void crash();
    bool is_running() const noexcept { return life_ != nullptr && !life_->ended; }
    bool has_ended() const noexcept { return life_ != nullptr && life_->ended; }
    // What the program let escape, in words; empty if nothing did.
    const std::string& failure() const noexcept { return failure_; }
    void stand_still(base::instant until);
    consumer_id id() const noexcept { return life_ ? life_->process.id() : nobody; }
    simulated_process* process() noexcept { return life_ ? &life_->process : nullptr; }
    const simulated_process* process() const noexcept { return life_ ? &life_->process : nullptr; }

    // ---- for the program
    coroutine_consumer& consumer() { return *life_->consumer; }
    base::instant now() const noexcept { return around_.queue.now(); }
    // co_await self.sleep(3s)
    auto sleep(base::duration time) {
        struct awaiter {
            application& self;
            base::duration time;
            bool await_ready() const noexcept { return false; }
            void await_suspend(std::coroutine_handle<> whom) const { self.resume_after(time, whom); }
            void await_resume() const noexcept {}
        };
        return awaiter{*this, time};
    }
    void resume_after(base::duration time, std::coroutine_handle<> whom) {
        life_->scheduler.run_at(now() + time, [whom] { whom.resume(); });
    }
    seeded_choice& choice() noexcept { return life_->choice; }
    application_mood& mood() noexcept { return mood_; }
    call_watch& calls() noexcept { return life_->calls; }

    // ---- counts, of all its lives
    // Counts a record; for programs that want to be asked about it.
    void took(const record& one) {
        ++records_;
        const auto& of = one.topic_partition();
        // Most come in rows.
        if (!newest_ || newest_->first != of) newest_ = &*offsets_.try_emplace(of).first;
        ++newest_->second;
    }
    std::uint64_t records() const noexcept { return records_; }
    std::uint64_t records(const topic_partition& of) const;
    std::uint64_t turns() const { return sum(&process_counts::turns); }
    std::uint64_t timer_turns() const { return sum(&process_counts::timer_turns); }
    std::uint64_t signals() const { return sum(&process_counts::signals); }
    // How often a wait of the program was ended.
    std::uint64_t wakeups() const noexcept { return wakeups_; }

private:
    struct life {
        life(const surroundings& around, std::int32_t number, consumer_id id);
        std::optional<core_witness> witness;
        std::optional<order_twin> twin;
        simulated_process process;
        call_watch calls;
        simulated_scheduler scheduler;
        seeded_choice choice;
        std::optional<coroutine_consumer> consumer;
        std::optional<task<>> running;
        bool ended = false;
    };
    std::uint64_t sum(std::uint64_t process_counts::* which) const;
    task<> live();
    void end_life();
    void let_consumer_go(life& of);

    surroundings around_;
    std::int32_t number_;
    std::string name_;
    consumer_config config_;
    program program_;
    application_mood mood_;
    std::unique_ptr<life> life_;
    // Events that were meant for them may still come.
    std::vector<std::unique_ptr<life>> former_;
    std::string failure_;
    std::uint64_t records_ = 0;
    std::map<topic_partition, std::uint64_t> offsets_;
    std::pair<const topic_partition, std::uint64_t>* newest_ = nullptr;
    std::uint64_t wakeups_ = 0;
};

}  // namespace strandline::testkit::sim
