#include "testkit/simulator/transition_tables.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/connection/connection_phase.hpp"
#include "core/fact_table.hpp"
#include "core/group/consumer/member_state.hpp"
#include "core/lifecycle/close_plan.hpp"
#include "core/offsets/position_states.hpp"

namespace strandline::testkit::sim {

namespace {

using core::boundary::partition_phase;
using core::connection::connection_phase;
using core::exchange::close_stage;
using core::group::consumer::member_state;
namespace exchange = core::exchange;
namespace fact_table = core::fact_table;

// ---- members

std::string_view member_name(std::size_t index) { return to_string(static_cast<member_state>(index)); }
bool member_may_follow(std::size_t from, std::size_t to) {
    return core::group::consumer::may_follow(static_cast<member_state>(from), static_cast<member_state>(to));
}

// ---- partitions

constexpr std::array<std::string_view, 5> phases{"awaiting committed", "awaiting reset", "awaiting validation",
                                                 "fetching", "stopped"};
static_assert(static_cast<std::size_t>(partition_phase::stopped) + 1 == phases.size());
std::string_view phase_name(std::size_t index) { return phases[index]; }
bool phase_may_follow(std::size_t from, std::size_t to) {
    return core::offsets::may_follow(static_cast<partition_phase>(from), static_cast<partition_phase>(to));
}

// ---- connections

constexpr std::size_t connection_phases = static_cast<std::size_t>(connection_phase::closed) + 1;
std::string_view connection_name(std::size_t index) { return to_string(static_cast<connection_phase>(index)); }
bool connection_may_follow(std::size_t from, std::size_t to) {
    return core::connection::may_follow(static_cast<connection_phase>(from), static_cast<connection_phase>(to));
}

// ---- close: each stage follows the one before it

constexpr std::array<std::string_view, 7> stages{"open",  "commit", "callbacks", "commit more",
                                                 "leave", "drain",  "stopped"};
static_assert(static_cast<std::size_t>(close_stage::stopped) + 1 == stages.size());
static_assert(core::lifecycle::close_steps.size() + 2 == stages.size());
std::string_view stage_name(std::size_t index) { return stages[index]; }
bool stage_may_follow(std::size_t from, std::size_t to) {
    using core::lifecycle::close_steps;
    const auto at = [](std::size_t stage) {
        const auto found = std::find_if(close_steps.begin(), close_steps.end(),
                                        [&](const auto& one) { return static_cast<std::size_t>(one.stage) == stage; });
        return static_cast<std::size_t>(found - close_steps.begin());
    };
    const auto next = from == static_cast<std::size_t>(close_stage::open) ? 0 : at(from) + 1;
    if (to == static_cast<std::size_t>(close_stage::stopped)) return next == close_steps.size();
    return next < close_steps.size() && at(to) == next;
}

// ---- facts: which may follow from handling which

struct named_fact {
    std::size_t kind;
    std::string_view name;
};
#define STRANDLINE_FACT(NAME) \
    named_fact { fact_table::kind_of<exchange::NAME>(), #NAME }
constexpr std::array named_facts{
    STRANDLINE_FACT(topics_of_interest),
    STRANDLINE_FACT(metadata_stale),
    STRANDLINE_FACT(leader_hint),
    STRANDLINE_FACT(broker_address_learnt),
    STRANDLINE_FACT(rebootstrap_wanted),
    STRANDLINE_FACT(rebootstrap_started),
    STRANDLINE_FACT(broker_throttled),
    STRANDLINE_FACT(answer_unreadable),
    STRANDLINE_FACT(coordinator_needed),
    STRANDLINE_FACT(coordinator_lost),
    STRANDLINE_FACT(topics_changed),
    STRANDLINE_FACT(fences_met),
    STRANDLINE_FACT(revocation_committed),
    STRANDLINE_FACT(member_fenced),
    STRANDLINE_FACT(revocation_commit_wanted),
    STRANDLINE_FACT(committed_wanted),
    STRANDLINE_FACT(partitions_gone),
    STRANDLINE_FACT(offsets_left),
    STRANDLINE_FACT(assignment_changed),
    STRANDLINE_FACT(fence_wanted),
    STRANDLINE_FACT(callback_acknowledged),
    STRANDLINE_FACT(subscription_replaced),
    STRANDLINE_FACT(leadership_changed),
    STRANDLINE_FACT(committed_known),
    STRANDLINE_FACT(offsets_committed),
    STRANDLINE_FACT(position_advanced),
    STRANDLINE_FACT(position_out_of_range),
    STRANDLINE_FACT(position_doubted),
    STRANDLINE_FACT(partition_failed),
    STRANDLINE_FACT(partition_changed),
    STRANDLINE_FACT(fatal_error),
};
#undef STRANDLINE_FACT
static_assert(named_facts.size() == fact_table::kinds, "each kind of fact has a name here");

std::string_view fact_name(std::size_t index) {
    return std::find_if(named_facts.begin(), named_facts.end(), [&](const auto& one) { return one.kind == index; })
        ->name;
}
bool fact_may_follow(std::size_t from, std::size_t to) { return fact_table::allows(from, to); }

constexpr std::array<transition_table, table_count> tables{
    transition_table{"member", core::group::consumer::member_states.size(), member_name, member_may_follow},
    transition_table{"partition", phases.size(), phase_name, phase_may_follow},
    transition_table{"connection", connection_phases, connection_name, connection_may_follow},
    transition_table{"close", stages.size(), stage_name, stage_may_follow},
    transition_table{"fact", fact_table::kinds, fact_name, fact_may_follow},
};

}  // namespace

std::span<const transition_table> transition_tables() noexcept { return tables; }

std::string to_string(table_step step) {
    const auto& table = tables[static_cast<std::size_t>(step.table)];
    return fmt::format("{} {} -> {}", table.name, table.state(step.from), table.state(step.to));
}

}  // namespace strandline::testkit::sim
