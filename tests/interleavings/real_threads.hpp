// Lets a scenario run with real threads and the primitives of production, round after round.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/instant.hpp"
#include "handoff/primitives.hpp"

namespace strandline::interleavings {

// What a scenario is written against, as exploring.hpp has it for the explorer.
struct threading {
    using primitives = handoff::primitives;

    // Belongs to the round that is prepared when it is made, which says when nobody will ring any more.
    class doorbell {
    public:
        doorbell();
        doorbell(const doorbell&) = delete;
        doorbell& operator=(const doorbell&) = delete;
        void ring() noexcept {
            const std::lock_guard held(mutex_);
            rung_ = true;
            changed_.notify_one();
        }
        // False: the round is over, and everything that had rung is answered.
        bool answer() {
            std::unique_lock held(mutex_);
            changed_.wait(held, [&] { return rung_ || over_; });
            return std::exchange(rung_, false);
        }
        void nobody_rings_any_more() {
            const std::lock_guard held(mutex_);
            over_ = true;
            changed_.notify_one();
        }

    private:
        std::mutex mutex_;
        std::condition_variable changed_;
        bool rung_ = false;
        bool over_ = false;
    };

    class run {
    public:
        run() { prepared_here() = this; }
        run(const run&) = delete;
        run& operator=(const run&) = delete;
        ~run() {
            while (!kept_.empty()) kept_.pop_back();
        }
        template <class Kept, class... Arguments>
        Kept& keep(Arguments&&... arguments) {
            auto made = std::make_shared<Kept>(std::forward<Arguments>(arguments)...);
            auto& kept = *made;
            kept_.push_back(std::move(made));
            return kept;
        }
        void actor(const std::string&, std::function<void()> body) { actors.push_back({std::move(body), false}); }
        void resident(const std::string&, std::function<void()> body) { actors.push_back({std::move(body), true}); }
        void at_end(std::function<void()> then) { at_end_.push_back(std::move(then)); }
        void check(bool held, const char* promise) {
            if (!held) broken.store(promise);
        }
        // Soon enough to come between the steps of the others, in some rounds.
        base::instant a_deadline() {
            static std::atomic<std::uint32_t> round = 0;
            return primitives::now() + std::chrono::microseconds(round++ % 40);
        }

        struct one_actor {
            std::function<void()> body;
            bool resident;
        };
        std::vector<one_actor> actors;
        std::atomic<const char*> broken{nullptr};
        void nobody_rings_any_more() {
            for (auto* const bell : bells_) bell->nobody_rings_any_more();
        }
        void finish() {
            for (const auto& then : at_end_) then();
        }

    private:
        friend class doorbell;
        static run*& prepared_here() {
            static thread_local run* newest = nullptr;
            return newest;
        }
        std::vector<doorbell*> bells_;
        std::vector<std::shared_ptr<void>> kept_;
        std::vector<std::function<void()>> at_end_;
    };

    // Plays one round after the other, each actor on a thread of its own for all of them. Nobody conducts: whose turn
    // it is prepares a round, whoever leaves it last ends it, and who is done goes on to the next meanwhile.
    class series {
    public:
        series(std::function<void(run&)> prepare, std::size_t rounds) : prepare_(std::move(prepare)), rounds_(rounds) {
            run first;
            prepare_(first);
            actors_ = first.actors.size();
            for (const auto& each : first.actors) callers_ += each.resident ? 0 : 1;
        }

        struct fault {
            const char* promise;
            std::size_t round;
        };
        // The first that was found.
        std::optional<fault> play() {
            for (std::size_t i = 0; i < places_.size(); ++i) places_[i].free_for.store(static_cast<int>(i));
            std::vector<std::thread> threads;
            for (std::size_t i = 0; i < actors_; ++i) threads.emplace_back([this, i] { work(i); });
            for (auto& each : threads) each.join();
            return found_;
        }
        std::size_t actors() const noexcept { return actors_; }

    private:
        struct place {
            std::optional<run> round;
            std::atomic<int> free_for{0};
            std::atomic<int> prepared_for{-1};
            std::atomic<int> callers{0};  // that may still ring
            std::atomic<int> inside{0};
        };

        void work(std::size_t which) {
            for (std::size_t i = 0; i < rounds_; ++i) {
                auto& here = places_[i % places_.size()];
                const auto number = static_cast<int>(i);
                if (i % actors_ == which)
                    open(here, number);
                else
                    wait_for(here.prepared_for, number);
                const auto& mine = here.round->actors[which];
                mine.body();
                if (!mine.resident && --here.callers == 0) here.round->nobody_rings_any_more();
                if (--here.inside == 0) end(here, number);
            }
        }

        void open(place& here, int number) {
            wait_for(here.free_for, number);
            here.callers = static_cast<int>(callers_);
            here.inside = static_cast<int>(actors_);
            prepare_(here.round.emplace());
            here.prepared_for = number;
            here.prepared_for.notify_all();
        }

        void end(place& here, int number) {
            here.round->finish();
            const auto* const promise = here.round->broken.load();
            here.round.reset();
            if (promise) {
                const std::lock_guard held(mutex_);
                if (!found_) found_ = fault{promise, static_cast<std::size_t>(number)};
            }
            here.free_for = number + static_cast<int>(places_.size());
            here.free_for.notify_all();
        }

        // Looks for a while, as the others are about to come, and then sleeps.
        static void wait_for(const std::atomic<int>& value, int wanted) {
            for (int looks = 0; looks < 200; ++looks) {
                if (value.load() == wanted) return;
            }
            for (auto seen = value.load(); seen != wanted; seen = value.load()) value.wait(seen);
        }

        std::function<void(run&)> prepare_;
        std::size_t rounds_;
        std::size_t actors_ = 0;
        std::size_t callers_ = 0;
        std::array<place, 4> places_;
        std::mutex mutex_;
        std::optional<fault> found_;
    };
};

inline threading::doorbell::doorbell() { run::prepared_here()->bells_.push_back(this); }

}  // namespace strandline::interleavings
