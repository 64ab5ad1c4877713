#include "tests/interleavings/explorer/world.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace strandline::interleavings {

namespace {

world* present = nullptr;

// Steps that the actors of a given-up run may still make before they are thrown out of a lock.
constexpr std::size_t most_free_steps = 1000;

}  // namespace

const char* name_of(step::kind what) noexcept {
    switch (what) {
        case step::kind::lock: return "lock";
        case step::kind::after_unlock: return "after unlock";
        case step::kind::wait: return "wait";
        case step::kind::wake: return "wake";
        case step::kind::notify: return "notify";
        case step::kind::read: return "read";
        case step::kind::write: return "write";
        case step::kind::ring: return "ring";
        case step::kind::answer: return "answer";
    }
    return "?";
}

const char* name_of(fault what) noexcept {
    switch (what) {
        case fault::none: return "no fault";
        case fault::broken_promise: return "a broken promise";
        case fault::stuck: return "stuck";
        case fault::endless: return "endless";
        case fault::dead_object: return "use after the end";
        case fault::misuse: return "misuse of a primitive";
        case fault::exception: return "an exception";
    }
    return "?";
}

world::world() { present = this; }

world::~world() { present = nullptr; }

world& world::current() noexcept { return *present; }

void world::begin(bool tails) {
    for (auto& each : actors_) recycle(each);
    actors_.clear();
    objects_.clear();
    objects_.resize(2);  // no object, and the clock
    running_.reset();
    steps_ = 0;
    free_steps_ = 0;
    now_ = base::instant{};
    mode_ = mode::preparing;
    tails_ = tails;
    found_ = fault::none;
    words_.clear();
}

void world::recycle(actor_state& who) {
    if (who.body->has_ended()) idle_.push_back(std::move(who.body));
}

void world::add_actor(std::string name, std::function<void()> body, bool resident) {
    actor_state made;
    made.name = std::move(name);
    made.resident = resident;
    if (idle_.empty()) {
        made.body = std::make_unique<fiber>();
    } else {
        made.body = std::move(idle_.back());
        idle_.pop_back();
    }
    made.body->set_body([this, body = std::move(body)] {
        try {
            body();
        } catch (const given_up&) {  // NOLINT(bugprone-empty-catch): it has ended, which is all that was wanted
            // What it waited for does not come.
        } catch (const std::exception& thrown) {
            fail(fault::exception, thrown.what());
        }
    });
    actors_.push_back(std::move(made));
}

void world::start_actors() {
    mode_ = mode::exploring;
    for (std::size_t i = 0; i < actors_.size(); ++i) {
        running_ = static_cast<actor_id>(i);
        actors_[i].body->resume();
    }
    running_.reset();
}

bool world::is_possible(const actor_state& who) const noexcept {
    const auto& next = who.next;
    switch (next.what) {
        case step::kind::lock: return !objects_[next.object].owner;
        case step::kind::wake: return (who.notified || now_ >= who.deadline) && !objects_[next.mutex].owner;
        case step::kind::answer: return objects_[next.object].rung;
        default: return true;
    }
}

actor_set world::enabled() const noexcept {
    actor_set able = 0;
    for (std::size_t i = 0; i < actors_.size(); ++i) {
        if (!actors_[i].body->has_ended() && is_possible(actors_[i])) {
            able = static_cast<actor_set>(able | only(static_cast<actor_id>(i)));
        }
    }
    return able;
}

bool world::rests_well() const noexcept {
    return std::ranges::all_of(actors_, [](const actor_state& who) {
        return who.body->has_ended() || (who.resident && who.next.what == step::kind::answer);
    });
}

void world::learn(actor_state& who, const step& made) {
    const auto self = static_cast<std::size_t>(&who - actors_.data());
    const auto used = accesses_of(made);
    for (const auto& [object, how] : used) {
        for (std::size_t before = 1; before < uses; ++before) {
            if (conflicts(how, static_cast<use>(before))) join(who.knows, objects_[object].known[before]);
        }
    }
    who.knows[self] = static_cast<std::uint16_t>(steps_);
    for (const auto& [object, how] : used) join(objects_[object].known[static_cast<std::size_t>(how)], who.knows);
}

void world::take(actor_id which) {
    auto& who = actors_[which];
    ++steps_;
    ended_.clear();
    learn(who, who.next);
    running_ = which;
    who.body->resume();
    running_.reset();
}

bool world::check_alive(const step& next) {
    const auto alive = [&](object_id object) { return objects_[object].alive; };
    if (alive(next.object) && alive(next.mutex)) return true;
    fail(fault::dead_object, std::string(name_of(next.what)) + " of an object that has ended");
    return false;
}

bool world::come_to(const step& next) {
    if (!check_alive(next)) return false;
    if (mode_ != mode::exploring || !running_) return false;
    auto& who = actors_[*running_];
    who.next = next;
    who.body->pause();
    return mode_ == mode::exploring && check_alive(next);
}

void world::end_actors() {
    mode_ = found_ == fault::none ? mode::ending : mode::giving_up;
    for (std::size_t i = 0; i < actors_.size(); ++i) {
        running_ = static_cast<actor_id>(i);
        if (!actors_[i].body->has_ended()) actors_[i].body->resume();
    }
    running_.reset();
    mode_ = mode::preparing;
}

void world::fail(fault what, std::string words) {
    if (found_ != fault::none) return;
    found_ = what;
    words_ = running_ ? actors_[*running_].name + ": " + words : std::move(words);
}

object_id world::make_object() {
    objects_.emplace_back();
    return static_cast<object_id>(objects_.size() - 1);
}

void world::end_object(object_id object) noexcept {
    objects_[object].alive = false;
    ended_.push_back(object);
}

void world::count_free_step() {
    if (mode_ == mode::giving_up && ++free_steps_ > most_free_steps) throw given_up{};
}

void world::lock(object_id mutex) {
    count_free_step();
    come_to({step::kind::lock, mutex, no_object, false});
    if (mode_ == mode::giving_up) return;
    auto& owner = objects_[mutex].owner;
    if (owner) fail(fault::misuse, "locks what is locked");
    owner = running_.value_or(most_actors);
}

// Giving a lock back is part of the step before it: no other step becomes impossible by it, so it may as well happen at
// once.
void world::unlock(object_id mutex) noexcept {
    if (mode_ == mode::giving_up) return;
    auto& held = objects_[mutex];
    if (held.owner != running_.value_or(most_actors)) fail(fault::misuse, "unlocks what it has not locked");
    held.owner.reset();
    if (!running_) return;
    join(held.known[static_cast<std::size_t>(use::exclusive)], actors_[*running_].knows);
    if (tails_) come_to({step::kind::after_unlock, mutex, no_object, false});
}

void world::wait(object_id condition, object_id mutex, base::instant deadline) {
    const bool timed = deadline != base::never;
    come_to({step::kind::wait, condition, mutex, timed});
    if (mode_ == mode::giving_up) throw given_up{};
    if (!running_ || mode_ != mode::exploring) {
        fail(fault::misuse, "waits although nobody else can run");
        return;
    }
    auto& who = actors_[*running_];
    auto& held = objects_[mutex];
    if (held.owner != running_) fail(fault::misuse, "waits without the lock");
    held.owner.reset();
    join(held.known[static_cast<std::size_t>(use::exclusive)], who.knows);
    who.notified = false;
    who.deadline = deadline;
    come_to({step::kind::wake, condition, mutex, timed});
    if (mode_ == mode::giving_up) throw given_up{};
    held.owner = running_;
    who.deadline = base::never;
}

void world::notify_all(object_id condition) noexcept {
    come_to({step::kind::notify, condition, no_object, false});
    for (auto& who : actors_) {
        if (!who.body->has_ended() && who.next.what == step::kind::wake && who.next.object == condition) {
            who.notified = true;
        }
    }
}

void world::before_reading(object_id object) {
    count_free_step();
    come_to({step::kind::read, object, no_object, false});
}

void world::before_writing(object_id object) {
    count_free_step();
    come_to({step::kind::write, object, no_object, false});
}

void world::ring(object_id bell) noexcept {
    come_to({step::kind::ring, bell, no_object, false});
    objects_[bell].rung = true;
}

bool world::answer(object_id bell) {
    if (mode_ != mode::exploring) return false;
    come_to({step::kind::answer, bell, no_object, false});
    return mode_ == mode::exploring && std::exchange(objects_[bell].rung, false);
}

base::instant world::read_clock() {
    before_reading(clock_object);
    return now_;
}

void world::move_clock(base::instant to) {
    before_writing(clock_object);
    now_ = std::max(now_, to);
}

}  // namespace strandline::interleavings
