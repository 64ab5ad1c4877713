// Lets a scenario run under the explorer: one run of it, with the explorer's primitives.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/instant.hpp"
#include "tests/interleavings/explorer/exploration.hpp"
#include "tests/interleavings/explorer/primitives.hpp"
#include "tests/interleavings/explorer/world.hpp"

namespace strandline::interleavings {

// What a scenario is written against; real_threads.hpp has the same with threads.
struct exploring {
    using primitives = interleavings::primitives;
    using doorbell = interleavings::doorbell;

    class run {
    public:
        explicit run(world& here) : world_(here) {}

        // Lives until the run is over.
        template <class Kept, class... Arguments>
        Kept& keep(Arguments&&... arguments) {
            auto made = std::make_shared<Kept>(std::forward<Arguments>(arguments)...);
            auto& kept = *made;
            kept_.push_back(std::move(made));
            return kept;
        }
        void actor(std::string name, std::function<void()> body) {
            world_.add_actor(std::move(name), std::move(body), false);
        }
        // Waits for its doorbell whenever it has nothing to do, at the end for ever.
        void resident(std::string name, std::function<void()> body) {
            world_.add_actor(std::move(name), std::move(body), true);
        }
        // Once nobody makes a step any more.
        void at_end(std::function<void()> then) { at_end_.push_back(std::move(then)); }
        void check(bool held, const char* promise) {
            if (!held) world_.fail(fault::broken_promise, promise);
        }
        // A deadline that passes at some time, before, between or after any steps of the others.
        base::instant a_deadline() {
            if (!clock_) {
                clock_ = true;
                world_.add_actor("clock", [here = &world_] { here->move_clock(deadline); }, false);
            }
            return deadline;
        }

    private:
        friend struct exploring;
        static constexpr base::instant deadline = base::instant(std::chrono::seconds(1));

        world& world_;
        bool clock_ = false;
        std::vector<std::shared_ptr<void>> kept_;
        std::vector<std::function<void()>> at_end_;

    public:
        run(run&&) = default;
        ~run() {
            while (!kept_.empty()) kept_.pop_back();
        }
    };

    static prepare_run prepared(std::function<void(run&)> scenario) {
        return [scenario = std::move(scenario)](world& here) {
            auto made = std::make_shared<run>(here);
            scenario(*made);
            return [made] {
                for (const auto& then : made->at_end_) then();
            };
        };
    }
};

inline findings explore(std::function<void(exploring::run&)> scenario, const exploration_options& how = {}) {
    return explore(exploring::prepared(std::move(scenario)), how);
}

}  // namespace strandline::interleavings
