// The primitives that code under exploration takes in place of std::mutex and its kin: every use is a step that the
// explorer may let another actor precede.
#pragma once

#include <mutex>
#include <utility>

#include "base/instant.hpp"
#include "tests/interleavings/explorer/world.hpp"

namespace strandline::interleavings {

struct primitives {
    class mutex {
    public:
        mutex() : object_(world::current().make_object()) {}
        ~mutex() { world::current().end_object(object_); }
        mutex(const mutex&) = delete;
        mutex& operator=(const mutex&) = delete;
        void lock() { world::current().lock(object_); }
        void unlock() noexcept { world::current().unlock(object_); }

    private:
        friend primitives;
        object_id object_;
    };

    class condition {
    public:
        condition() : object_(world::current().make_object()) {}
        ~condition() { world::current().end_object(object_); }
        condition(const condition&) = delete;
        condition& operator=(const condition&) = delete;
        void notify_all() noexcept { world::current().notify_all(object_); }
        void wait(std::unique_lock<mutex>& held) { wait_until(held, base::never); }
        // Returns nothing, as in production: whether the time is over is asked of the clock.
        void wait_until(std::unique_lock<mutex>& held, base::instant deadline) {
            world::current().wait(object_, held.mutex()->object_, deadline);
        }

    private:
        object_id object_;
    };

    template <class Value>
    class atomic {
    public:
        atomic(Value value = {}) : object_(world::current().make_object()), value_(value) {}
        ~atomic() { world::current().end_object(object_); }
        atomic(const atomic&) = delete;
        atomic& operator=(const atomic&) = delete;

        Value load() const {
            world::current().before_reading(object_);
            return value_;
        }
        void store(Value value) {
            world::current().before_writing(object_);
            value_ = value;
        }
        Value exchange(Value value) {
            world::current().before_writing(object_);
            return std::exchange(value_, value);
        }
        bool compare_exchange_strong(Value& expected, Value desired) {
            world::current().before_writing(object_);
            if (value_ == expected) {
                value_ = desired;
                return true;
            }
            expected = value_;
            return false;
        }
        Value fetch_add(Value more) {
            world::current().before_writing(object_);
            return std::exchange(value_, static_cast<Value>(value_ + more));
        }
        Value fetch_sub(Value less) {
            world::current().before_writing(object_);
            return std::exchange(value_, static_cast<Value>(value_ - less));
        }

    private:
        object_id object_;
        Value value_;
    };

    static base::instant now() { return world::current().read_clock(); }
};

// What a reactor waits for when it has nothing to do. Rings before the answer are one.
class doorbell {
public:
    doorbell() : object_(world::current().make_object()) {}
    ~doorbell() { world::current().end_object(object_); }
    doorbell(const doorbell&) = delete;
    doorbell& operator=(const doorbell&) = delete;
    void ring() noexcept { world::current().ring(object_); }
    // False: the run is over, nobody will ring.
    bool answer() { return world::current().answer(object_); }

private:
    object_id object_;
};

}  // namespace strandline::interleavings
