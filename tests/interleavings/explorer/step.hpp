// What an actor is about to do with something shared, and when two such steps may not be exchanged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace strandline::interleavings {

using object_id = std::uint16_t;
using actor_id = std::uint8_t;
using actor_set = std::uint8_t;  // a bit for each

inline constexpr std::size_t most_actors = 8;
inline constexpr object_id no_object = 0;
inline constexpr object_id clock_object = 1;

constexpr actor_set only(actor_id actor) noexcept { return static_cast<actor_set>(1U << actor); }
constexpr bool has(actor_set set, actor_id actor) noexcept { return (set & only(actor)) != 0; }

struct step {
    enum class kind : std::uint8_t {
        lock,     // of `object`, when it is free
        after_unlock,  // what the actor does without the lock, until its next step
        wait,     // gives `mutex` back and waits for the condition `object`
        wake,     // notified, or past the deadline: takes `mutex` again
        notify,
        read,     // of an atomic, or of the clock
        write,
        ring,     // a doorbell
        answer,   // waits until it has rung
    };
    kind what = kind::read;
    object_id object = no_object;
    object_id mutex = no_object;
    bool timed = false;  // wait and wake: with a deadline
};

// How a step uses an object. Uses of one object exchange freely if they are the same and not exclusive: two reads, two
// notifications, two waits.
enum class use : std::uint8_t { none, observing, announcing, exclusive };
inline constexpr std::size_t uses = 4;

constexpr bool conflicts(use a, use b) noexcept {
    if (a == use::none || b == use::none) return false;
    return a == use::exclusive || a != b;
}

struct access {
    object_id object = no_object;
    use how = use::none;
};

// All that a step uses.
struct access_list {
    static constexpr std::size_t most = 3;
    std::array<access, most> all{};
    std::size_t count = 0;

    constexpr access_list() = default;
    constexpr access_list(access first) noexcept { add(first); }
    constexpr access_list& add(access one) noexcept {
        all[count++] = one;
        return *this;
    }
    constexpr const access* begin() const noexcept { return all.data(); }
    constexpr const access* end() const noexcept { return all.data() + count; }
};

constexpr access_list accesses_of(const step& taken) noexcept {
    switch (taken.what) {
        case step::kind::lock:
        case step::kind::write:
        case step::kind::answer: return access{taken.object, use::exclusive};
        case step::kind::read: return access{taken.object, use::observing};
        case step::kind::after_unlock:
        case step::kind::notify:
        case step::kind::ring: return access{taken.object, use::announcing};
        // Giving the mutex back makes nobody wait, and nobody can want it at the same time.
        case step::kind::wait: return access{taken.object, use::observing};
        // A lock, after a notification or after the deadline: which of them, and how many, is a difference although
        // once it is possible more of that changes nothing, because what its actor does next follows from all of them.
        case step::kind::wake: {
            access_list made(access{taken.mutex, use::exclusive});
            made.add({taken.object, use::observing});
            if (taken.timed) made.add({clock_object, use::observing});
            return made;
        }
    }
    return {};
}

constexpr bool conflicts(const access& a, const access& b) noexcept {
    return a.object == b.object && conflicts(a.how, b.how);
}
constexpr bool conflicts(const step& a, const access& b) noexcept {
    for (const auto& each : accesses_of(a)) {
        if (conflicts(each, b)) return true;
    }
    return false;
}
constexpr bool conflicts(const step& a, const step& b) noexcept {
    for (const auto& each : accesses_of(b)) {
        if (conflicts(a, each)) return true;
    }
    return false;
}

// For each actor, how many steps of the run had been made with its newest one that is known here.
using vector_clock = std::array<std::uint16_t, most_actors>;

constexpr void join(vector_clock& into, const vector_clock& from) noexcept {
    for (std::size_t i = 0; i < most_actors; ++i) {
        if (from[i] > into[i]) into[i] = from[i];
    }
}

const char* name_of(step::kind what) noexcept;

}  // namespace strandline::interleavings
