#include "testkit/simulator/simulated_process.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "reactor/stop_reason.hpp"
#include "testkit/simulator/allocation_countdown.hpp"

namespace strandline::testkit::sim {

// What the consumer holds: as long as it lives, the reactor turns.
class simulated_process::inhabitant final : public client::runtime {
public:
    explicit inhabitant(simulated_process& where) : where_(where) {}
    ~inhabitant() override { where_.stop(); }
    inhabitant(const inhabitant&) = delete;
    inhabitant& operator=(const inhabitant&) = delete;

private:
    simulated_process& where_;
};

simulated_process::simulated_process(consumer_id id, std::uint32_t application, event_queue& queue,
                                     simulated_network& network, observations& told, seeded_choice schedule,
                                     std::uint64_t random_seed)
    : id_(id),
      application_(application),
      queue_(queue),
      network_(network),
      told_(told),
      clock_(queue),
      schedule_(std::move(schedule)),
      random_seed_(random_seed),
      random_(random_seed) {}

simulated_process::~simulated_process() { stop(); }

std::unique_ptr<client::runtime> simulated_process::start(const core::boundary::core_config& config,
                                                          handoff::handoff& meeting) {
    meeting_ = &meeting;
    told_.tell(id_,
               observed::consumer_started{application_, std::make_shared<const core::boundary::core_config>(config)});
    if (twin_) twin_->begin(config, random_seed_);
    running_ = std::make_unique<reactor::reactor>(
        config, reactor::ports{*this, *this, clock_, random_, *this}, meeting, [this] { network_.leave(*this); },
        probe_);
    meeting.set_reactor_waker(this);
    return std::make_unique<inhabitant>(*this);
}

void simulated_process::stop() {
    if (!running_) return;
    meeting_->set_reactor_waker(nullptr);
    network_.leave(*this);
    running_.reset();
    if (twin_) twin_->end();
    soon_ = false;
    armed_ = base::never;
    queries_.clear();
    // As the thread that ends in production.
    meeting_->fail_all(reactor::closed_reason());
    meeting_ = nullptr;
}

void simulated_process::stand_still(base::instant until) { still_until_ = std::max(still_until_, until); }

// ---- turning

void simulated_process::signal() noexcept {
    ++counts_.signals;
    if (told_.anybody()) {
        const uncounted_allocations ours;
        told_.tell(id_, observed::turn_asked{});
    }
    turn_soon();
}

void simulated_process::turn_soon() {
    if (soon_) return;
    soon_ = true;
    const uncounted_allocations ours;
    // As with threads: now and then the other one is faster.
    base::duration delay{};
    if (schedule_.chance(25)) delay = schedule_.between(base::duration(0), std::chrono::microseconds(200));
    queue_.at(queue_.now() + delay, *this, name_of(event::turn, 0));
}

void simulated_process::turn_at(base::instant when) {
    const uncounted_allocations ours;
    armed_ = when;
    // One that comes too early arms itself anew.
    if (when >= timer_event_) return;
    timer_event_ = when;
    queue_.at(when, *this, name_of(event::timer, 0));
}

void simulated_process::on_event(std::uint64_t what) {
    if (still_until_ > queue_.now()) return queue_.at(still_until_, *this, what);
    switch (static_cast<event>(what & 3U)) {
        case event::turn:
            if (soon_) turn();
            return;
        case event::timer:
            if (timer_event_ <= queue_.now()) timer_event_ = base::never;
            if (armed_ > queue_.now()) {
                if (armed_ < timer_event_) turn_at(armed_);
                return;
            }
            ++counts_.timer_turns;
            armed_ = base::never;
            return turn();
        case event::name: return answer_name(core::connection::query_id(what >> 2U));
    }
}

void simulated_process::turn() {
    soon_ = false;
    if (!running_ || failure_) return;
    ++counts_.turns;
    orders_.clear();
    work([&] { running_->turn(); });
    if (twin_) twin_->on_orders(orders_);
    if (look_) look_();
}

template <class Input>
void simulated_process::work(Input&& input) {
    try {
        const allocation_countdown counting(allocations_left_);
        input();
    } catch (const std::exception& problem) {
        fail(problem);
    }
}

// As the host does in production: the consumer is over, its program is not.
void simulated_process::fail(const std::exception& why) {
    failure_ = why.what();
    told_.tell(id_, observed::reactor_failed{dynamic_cast<const std::bad_alloc*>(&why) != nullptr, why.what()});
    meeting_->fail_all(reactor::failure_reason(why));
    network_.leave(*this);
    queries_.clear();
    armed_ = base::never;
}

// ---- ports

void simulated_process::saw_effect(observed::effect_kind what) {
    const uncounted_allocations ours;
    if (told_.anybody()) told_.tell(id_, observed::effect_seen{what, meeting_->snapshot()->version});
}

void simulated_process::saw_order(core::connection::network_order what) {
    saw_effect(observed::effect_kind::network_order);
    if (twin_ && twin_->is_alive()) orders_.push_back(std::move(what));
}

void simulated_process::open(core::connection::connection_id id, const core::connection::ip_endpoint& to) {
    const uncounted_allocations ours;
    saw_order(core::connection::open_connection{id, to});
    network_.open(*this, id, to);
}

void simulated_process::write(core::connection::connection_id id, base::shared_bytes bytes) {
    const uncounted_allocations ours;
    saw_order(core::connection::write_bytes{id, bytes});
    network_.write(*this, id, bytes);
}

void simulated_process::close(core::connection::connection_id id) {
    const uncounted_allocations ours;
    saw_order(core::connection::close_connection{id});
    network_.close(*this, id);
}

void simulated_process::resolve(core::connection::query_id id, const core::boundary::host_port& name) {
    const uncounted_allocations ours;
    saw_order(core::connection::resolve_name{id, name});
    queries_.emplace(id, name);
    const auto told = network_.addresses().resolve(name, queue_.now());
    queue_.at(queue_.now() + told.after, *this, name_of(event::name, id.value()));
}

void simulated_process::answer_name(core::connection::query_id id) {
    const auto asked = queries_.find(id);
    if (asked == queries_.end()) return;
    auto told = network_.addresses().resolve(asked->second, queue_.now());
    queries_.erase(asked);
    on_network(core::connection::name_resolved{id, std::move(told.addresses), std::move(told.reason)});
}

void simulated_process::on_network(core::connection::network_event what) {
    if (running_ && !failure_) work([&] { running_->on_network(std::move(what)); });
}

std::span<std::byte> simulated_process::receive_room(core::connection::connection_id id) {
    std::span<std::byte> room;
    if (running_ && !failure_) work([&] { room = running_->receive_room(id); });
    room_ = room;
    return room;
}

std::size_t simulated_process::bytes_missing(core::connection::connection_id id) {
    return running_ && !failure_ ? running_->bytes_missing(id) : 0;
}

void simulated_process::on_received(core::connection::connection_id id, std::size_t bytes) {
    counts_.bytes_received += bytes;
    if (twin_) twin_->receive(id, room_.first(bytes));
    if (running_ && !failure_) work([&] { running_->on_received(id, bytes); });
}

}  // namespace strandline::testkit::sim
