// Lets a scenario run with real threads and the primitives of production, round after round.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
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

    // Those of a round are made before its threads begin, and told when nobody will ring any more.
    class doorbell {
    public:
        doorbell() { all().push_back(this); }
        ~doorbell() { std::erase(all(), this); }
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
        static void nobody_rings_any_more() {
            for (auto* const bell : all()) {
                const std::lock_guard held(bell->mutex_);
                bell->over_ = true;
                bell->changed_.notify_one();
            }
        }

    private:
        static std::vector<doorbell*>& all() {
            static std::vector<doorbell*> made;
            return made;
        }
        std::mutex mutex_;
        std::condition_variable changed_;
        bool rung_ = false;
        bool over_ = false;
    };

    class run {
    public:
        run() = default;
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
            static std::uint32_t round = 0;
            return primitives::now() + std::chrono::microseconds(round++ % 40);
        }

        struct one_actor {
            std::function<void()> body;
            bool resident;
        };
        std::vector<one_actor> actors;
        std::atomic<const char*> broken{nullptr};
        void finish() {
            for (const auto& then : at_end_) then();
        }

    private:
        std::vector<std::shared_ptr<void>> kept_;
        std::vector<std::function<void()>> at_end_;
    };

    class team {
    public:
        explicit team(std::size_t size) {
            for (std::size_t i = 0; i < size; ++i) threads_.emplace_back([this, i] { work(i); });
        }
        ~team() {
            {
                const std::lock_guard held(mutex_);
                stop_ = true;
                changed_.notify_all();
            }
            for (auto& each : threads_) each.join();
        }
        team(const team&) = delete;
        team& operator=(const team&) = delete;

        void play(run& round) {
            std::unique_lock held(mutex_);
            round_ = &round;
            busy_ = 0;
            for (const auto& each : round.actors) busy_ += each.resident ? 0U : 1U;
            at_work_ = threads_.size();
            ++generation_;
            changed_.notify_all();
            changed_.wait(held, [&] { return busy_ == 0; });
            doorbell::nobody_rings_any_more();
            changed_.wait(held, [&] { return at_work_ == 0; });
        }

    private:
        void work(std::size_t which) {
            for (std::size_t seen = 0;;) {
                const run::one_actor* mine = nullptr;
                {
                    std::unique_lock held(mutex_);
                    changed_.wait(held, [&] { return generation_ != seen || stop_; });
                    if (stop_) return;
                    ++seen;
                    if (which < round_->actors.size()) mine = &round_->actors[which];
                }
                if (mine) mine->body();
                const std::lock_guard held(mutex_);
                if (mine && !mine->resident) --busy_;
                --at_work_;
                changed_.notify_all();
            }
        }

        std::mutex mutex_;
        std::condition_variable changed_;
        run* round_ = nullptr;
        std::size_t generation_ = 0;
        std::size_t busy_ = 0;
        std::size_t at_work_ = 0;
        bool stop_ = false;
        std::vector<std::thread> threads_;
    };
};

}  // namespace strandline::interleavings
