#include "testkit/simulator/application.hpp"

#include <utility>

#include <fmt/format.h>

#include "client/coroutine_parts.hpp"

namespace strandline::testkit::sim {

namespace {

// Streams of a process, apart from each other and from those of other processes.
std::uint64_t stream_of(std::int32_t number, consumer_id id, std::uint64_t which) {
    return (static_cast<std::uint64_t>(number) << 40U) ^ (std::uint64_t{id.value()} << 8U) ^ (which + 100);
}

}  // namespace

application::life::life(const surroundings& around, std::int32_t number, consumer_id id)
    : process(id, static_cast<std::uint32_t>(number), around.queue, around.network, around.told,
              seeded_choice(around.seed, stream_of(number, id, 0)),
              base::seeded_random(around.seed ^ stream_of(number, id, 1)).next()),
      calls(id, around.told, around.logs),
      scheduler(around.queue, seeded_choice(around.seed, stream_of(number, id, 2))),
      choice(around.seed, stream_of(number, id, 3)) {}

application::application(surroundings around, std::int32_t number, consumer_config config, program what)
    : around_(std::move(around)),
      number_(number),
      name_(fmt::format("application-{}", number)),
      config_(std::move(config)),
      program_(std::move(what)) {
    config_.client_id = name_;
}

application::~application() { end_life(); }

void application::start(consumer_id id) {
    end_life();
    life_ = std::make_unique<life>(around_, number_, id);
    auto& made = *life_;
    made.scheduler.on_wake([this] {
        ++wakeups_;
        const auto* const meeting = life_->process.meeting();
        if (meeting && around_.told.anybody()) {
            around_.told.tell(life_->process.id(),
                              observed::effect_seen{observed::effect_kind::wake, meeting->snapshot()->version});
        }
    });
    made.process.on_turn([this] { around_.on_turn(*this); });
    if (around_.known) {
        made.witness.emplace(id, around_.told, *around_.known);
        made.twin.emplace(*made.witness, made.process.time(), seeded_choice(around_.seed, stream_of(number_, id, 4)),
                          [this, id](std::string words) {
                              using clause = observed::contract_broken::clause;
                              around_.told.tell(id, observed::contract_broken{clause::order_matters, std::move(words)});
                          });
        made.process.look_on(&*made.twin);
        made.process.accompany(&*made.twin);
    }
    around_.on_start(*this);
    made.consumer.emplace(make_simulated_consumer(config_, made.process, made.scheduler, made.calls));
    made.running.emplace(live());
    made.scheduler.run_at(now(), [this] { life_->running->start(); });
}

task<> application::live() {
    auto& mine = *life_;
    try {
        co_await program_(*this);
    } catch (const std::exception& problem) {
        failure_ = problem.what();
    }
    let_consumer_go(mine);
    mine.ended = true;
    around_.on_end(*this);
}

// Its program is over: what is left of it?
void application::let_consumer_go(life& of) {
    const auto& state = client::coroutine_parts::state_of(*of.consumer);
    // Of one that has closed nothing is buffered, and its program holds nothing any more.
    const auto bytes = state.closed ? state.meeting.bytes_in_use() : 0;
    of.consumer.reset();
    of.calls.tell(
        observed::consumer_gone{of.process.connections(), 0, of.scheduler.timers(), bytes, of.process.open_queries()});
    of.calls.fall_silent();
}

void application::crash() {
    if (life_ && !life_->ended) around_.told.tell(life_->process.id(), observed::crashed{});
    end_life();
}

void application::end_life() {
    if (!life_) return;
    // In the order in which a process's parts would be missed: first nobody waits any more, then the consumer goes.
    life_->calls.fall_silent();
    life_->scheduler.forget_everything();
    life_->running.reset();
    life_->consumer.reset();
    life_->scheduler.forget_everything();
    former_.push_back(std::move(life_));
}

void application::stand_still(base::instant until) {
    if (!life_) return;
    life_->process.stand_still(until);
    life_->scheduler.stand_still(until);
}

std::uint64_t application::records(const topic_partition& of) const {
    const auto found = offsets_.find(of);
    return found == offsets_.end() ? 0 : found->second;
}

std::uint64_t application::sum(std::uint64_t process_counts::* which) const {
    auto total = life_ ? life_->process.counts().*which : 0;
    for (const auto& one : former_) total += one->process.counts().*which;
    return total;
}

}  // namespace strandline::testkit::sim
