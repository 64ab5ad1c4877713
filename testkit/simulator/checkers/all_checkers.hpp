// Every checker, and what the documents ask for that has none yet.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testkit/simulator/checkers/checker.hpp"

namespace strandline::testkit::sim {

std::vector<std::unique_ptr<checker>> make_all_checkers();

// In the file named beside it.
namespace checkers {

std::unique_ptr<checker> the_application_costs_few_turns();  // bounded_and_conserved
std::unique_ptr<checker> memory_is_bounded();  // bounded_memory
std::unique_ptr<checker> work_is_bounded();  // bounded_work
std::unique_ptr<checker> callbacks_are_answered();  // callback_handshake
std::unique_ptr<checker> handovers_are_clean();  // clean_handover
std::unique_ptr<checker> close_leaves_the_group();  // close_is_one_plan
std::unique_ptr<checker> committed_offsets_go_forward();  // committed_goes_forward
std::unique_ptr<checker> commits_never_exceed_what_is_processed();  // committed_is_processed
std::unique_ptr<checker> answers_change_what_was_captured();  // completions_change_what_they_captured
std::unique_ptr<checker> effects_follow_their_decision();  // effects_after_decision
std::unique_ptr<checker> errors_are_told_once();  // errors_belong
std::unique_ptr<checker> every_partition_has_a_reader();  // every_partition_is_read
std::unique_ptr<checker> facts_keep_their_order();  // facts_in_order
std::unique_ptr<checker> failed_allocations_are_survived();  // failed_allocations
std::unique_ptr<checker> waits_lie_ahead();  // feasible_urgency
std::unique_ptr<checker> fenced_partitions_are_not_read();  // fenced_is_not_read
std::unique_ptr<checker> fetch_sessions_agree();  // fetch_session_mirror
std::unique_ptr<checker> no_two_members_own_a_partition();  // group_safety
std::unique_ptr<checker> intents_stay();  // intents_are_state
std::unique_ptr<checker> only_owners_write();  // kernel_contract
std::unique_ptr<checker> unasked_managers_stand_by_their_answers();  // kernel_contract
std::unique_ptr<checker> turns_come_to_rest();  // kernel_contract
std::unique_ptr<checker> requests_are_legal();  // legal_requests
std::unique_ptr<checker> awaited_inputs_have_producers();  // live_producers
std::unique_ptr<checker> brokers_are_found_again();  // names_are_followed
std::unique_ptr<checker> no_wake_is_lost();  // no_lost_wake
std::unique_ptr<checker> nothing_uncommitted_is_shown();  // nothing_aborted
std::unique_ptr<checker> nothing_is_left_behind();  // nothing_left_behind
std::unique_ptr<checker> every_record_is_given();  // nothing_skipped
std::unique_ptr<checker> offsets_only_increase();  // offsets_increase
std::unique_ptr<checker> one_decision_a_turn();  // one_snapshot_per_decision
std::unique_ptr<checker> every_call_has_one_result();  // one_terminal_result
std::unique_ptr<checker> only_monotonic_time_counts();  // only_monotonic_time
std::unique_ptr<checker> ownership_is_fenced();  // ownership_fence
std::unique_ptr<checker> there_is_one_of_each();  // one_of_each
std::unique_ptr<checker> positions_precede_data();  // position_before_data
std::unique_ptr<checker> progress_follows_healing();  // progress_after_healing
std::unique_ptr<checker> nobody_runs_without_need();  // quiescence
std::unique_ptr<checker> wakes_have_reasons();  // reasoned_wakes
std::unique_ptr<checker> requests_begin_and_end_once();  // requests_are_registered
std::unique_ptr<checker> requests_end_by_their_expiry();  // requests_expire
std::unique_ptr<checker> stopping_ends();  // stop_is_bounded
std::unique_ptr<checker> wakeups_end_one_poll();  // wakeup_once

}  // namespace checkers

// One line for each property that the documents name.
struct checked_property {
    std::string_view id;       // "V7", "R4", "P1"
    std::string_view checker;  // the id of the checker that looks for it; empty: none in the simulator
    std::string_view waits_for;  // why there is none, or what of it is looked for elsewhere; empty: nothing is missing
};
std::span<const checked_property> checked_properties() noexcept;
// The same as lines of text: id, the sentence of its checker, what it waits for.
std::string checked_properties_in_words();

}  // namespace strandline::testkit::sim
