// Draws single faults for a plan: when, of whom, how long, how much.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "protocol/api_key.hpp"
#include "testkit/simulator/answer_errors.hpp"
#include "testkit/simulator/fault_plan.hpp"
#include "testkit/simulator/seeded_choice.hpp"

namespace strandline::testkit::sim {

// How often a kind is drawn, compared with the others of a list.
struct weighted_kind {
    fault_kind what;
    int weight;
};
// Each as often as it weighs.
std::vector<fault_kind> spread(std::span<const weighted_kind> kinds);

// When a fault may begin, how long it may last, and which answers may go wrong.
struct fault_bounds {
    base::duration from{};  // begins in [from, to]
    base::duration to{};
    base::duration over{};  // what lasts is over by then
    base::duration longest = std::chrono::seconds(60);
    std::span<const protocol::api_key> apis = {};  // none: any
    bool coordinator_leaves = false;  // answers say so mostly, and what waits behind them is sent by then
};

class fault_drawing {
public:
    // Of a plan whose brokers, topics and consumers are known.
    fault_drawing(const fault_plan& plan, seeded_choice& choice) : plan_(plan), choice_(choice) {}

    fault draw(fault_kind kind, const fault_bounds& within);
    // Small ones as often as large ones. Whole numbers only: other compilers must draw the same plan.
    std::int64_t log_uniform(std::int64_t from, std::int64_t to);

private:
    struct subject {
        const topic_plan& topic;
        std::int32_t consumer;
        std::int32_t partition;
        std::int64_t amount;
    };
    void specialise(fault& made, const subject& of, const fault_bounds& within);
    void draw_answer(fault& made, const subject& of, const fault_bounds& within);
    const answer_error& draw_error(const fault_bounds& within);

    const fault_plan& plan_;
    seeded_choice& choice_;
};

// It has happened, and nothing of it has to end.
bool is_momentary(fault_kind kind) noexcept;
void sort_by_time(std::vector<fault>& faults);

}  // namespace strandline::testkit::sim
