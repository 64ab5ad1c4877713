// One run of a scenario: its actors, each on a fiber, and what they share. Whoever explores decides which of them makes
// the next step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "tests/interleavings/explorer/fiber.hpp"
#include "tests/interleavings/explorer/step.hpp"

namespace strandline::interleavings {

enum class fault {
    none,
    broken_promise,  // a check of the scenario
    stuck,  // somebody waits for what nobody will do: a lost wake, or a deadlock
    endless,  // more steps than any run of a bounded scenario has
    dead_object,  // used after its end
    misuse,  // of a primitive: unlocked by another, waited without the lock
    exception,
};

const char* name_of(fault what) noexcept;

class world {
public:
    // A run that is longer does not end.
    static constexpr std::size_t most_steps = 2000;

    world();
    ~world();
    world(const world&) = delete;
    world& operator=(const world&) = delete;
    // The one that runs now; primitives find it here.
    static world& current() noexcept;

    // --- For whoever explores.

    // Forgets the former run. `tails`: what an actor does after an unlock is a step of its own, for scenarios in which
    // memory is freed.
    void begin(bool tails);
    // All actors come to their first step.
    void start_actors();
    std::size_t actors() const noexcept { return actors_.size(); }
    std::string_view name(actor_id who) const noexcept { return actors_[who].name; }
    // Those whose next step is possible now.
    actor_set enabled() const noexcept;
    const step& next(actor_id who) const noexcept { return actors_[who].next; }
    // Whether it is about to make a step, possible or not; otherwise it has ended.
    bool is_under_way(actor_id who) const noexcept { return !actors_[who].body->has_ended(); }
    // What the actor knew before its next step, and, once it has made it, with it.
    const vector_clock& knowledge(actor_id who) const noexcept { return actors_[who].knows; }
    // Makes the step, and runs the actor up to its next one.
    void take(actor_id which);
    // What was destroyed in the newest step.
    const std::vector<object_id>& ended() const noexcept { return ended_; }
    // Nobody can go on: true if that is the end of the run, and no fault.
    bool rests_well() const noexcept;
    // Ends what still runs: residents because there is nothing to do any more, everybody after a fault.
    void end_actors();

    fault found() const noexcept { return found_; }
    const std::string& words() const noexcept { return words_; }
    // The first one counts.
    void fail(fault what, std::string words);

    // --- For the scenario.

    // `resident`: it may wait for ever; the run is over when only residents are left, and they wait.
    void add_actor(std::string name, std::function<void()> body, bool resident);
    base::instant now() const noexcept { return now_; }

    // --- For the primitives.

    object_id make_object();
    void end_object(object_id object) noexcept;
    void lock(object_id mutex);
    void unlock(object_id mutex) noexcept;
    void wait(object_id condition, object_id mutex, base::instant deadline);
    void notify_all(object_id condition) noexcept;
    // To be followed by the reading or writing itself.
    void before_reading(object_id object);
    void before_writing(object_id object);
    void ring(object_id bell) noexcept;
    // False: the run is over.
    bool answer(object_id bell);
    base::instant read_clock();
    void move_clock(base::instant to);

private:
    struct actor_state {
        std::string name;
        bool resident = false;
        std::unique_ptr<fiber> body;
        step next;
        vector_clock knows{};
        bool notified = false;
        base::instant deadline = base::never;
    };
    struct object_state {
        bool alive = true;
        bool rung = false;
        std::optional<actor_id> owner;
        // What is known by who uses it next, by how it was used.
        std::array<vector_clock, uses> known{};
    };
    // How the present run goes on.
    enum class mode { preparing, exploring, ending, giving_up };
    // Thrown in actors of a run that is given up, so that they end.
    struct given_up {};

    bool is_possible(const actor_state& who) const noexcept;
    // Pauses the actor until it is chosen. False: nobody explores now, the step just happens.
    bool come_to(const step& next);
    // Throws an actor of a given-up run out that does not come to an end by itself.
    void count_free_step();
    bool check_alive(const step& next);
    void learn(actor_state& who, const step& made);
    void recycle(actor_state& who);

    std::vector<actor_state> actors_;
    std::vector<object_state> objects_;
    std::vector<object_id> ended_;
    std::vector<std::unique_ptr<fiber>> idle_;
    std::optional<actor_id> running_;
    std::size_t steps_ = 0;
    std::size_t free_steps_ = 0;
    base::instant now_{};
    mode mode_ = mode::preparing;
    bool tails_ = false;
    fault found_ = fault::none;
    std::string words_;
};

}  // namespace strandline::interleavings
