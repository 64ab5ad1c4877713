#include "testkit/simulator/checkers/all_checkers.hpp"

#include <array>

#include <fmt/format.h>

namespace strandline::testkit::sim {

std::vector<std::unique_ptr<checker>> make_all_checkers() {
    using namespace checkers;
    std::vector<std::unique_ptr<checker>> all;
    for (const auto make : {&waits_lie_ahead,
                            &work_is_bounded,
                            &awaited_inputs_have_producers,
                            &wakes_have_reasons,
                            &no_wake_is_lost,
                            &the_application_costs_few_turns,
                            &there_is_one_of_each,
                            &commits_never_exceed_what_is_processed,
                            &positions_precede_data,
                            &ownership_is_fenced,
                            &answers_change_what_was_captured,
                            &intents_stay,
                            &requests_begin_and_end_once,
                            &every_call_has_one_result,
                            &close_leaves_the_group,
                            &callbacks_are_answered,
                            &wakeups_end_one_poll,
                            &requests_are_legal,
                            &one_decision_a_turn,
                            &stopping_ends,
                            &errors_are_told_once,
                            &every_record_is_given,
                            &offsets_only_increase,
                            &handovers_are_clean,
                            &committed_offsets_go_forward,
                            &nothing_uncommitted_is_shown,
                            &fenced_partitions_are_not_read,
                            &no_two_members_own_a_partition,
                            &fetch_sessions_agree,
                            &progress_follows_healing,
                            &nobody_runs_without_need,
                            &memory_is_bounded,
                            &nothing_is_left_behind,
                            &brokers_are_found_again,
                            &every_partition_has_a_reader,
                            &only_monotonic_time_counts,
                            &requests_end_by_their_expiry,
                            &failed_allocations_are_survived,
                            &only_owners_write,
                            &turns_come_to_rest,
                            &facts_keep_their_order,
                            &effects_follow_their_decision,
                            &unasked_managers_stand_by_their_answers}) {
        all.push_back(make());
    }
    return all;
}

namespace {

// V: invariants.md. R: the table of reliability.md, section 2. P: the six properties of the reactor's design.
constexpr std::array properties{
    checked_property{"V1", "V1", ""},
    checked_property{"V2", "V2", ""},
    checked_property{"V3", "V3", ""},
    checked_property{"V4", "V4", "every interleaving of the hand-off: tests of handoff/"},
    checked_property{"V5", "V5", "every interleaving of the hand-off: tests of handoff/"},
    checked_property{"V6", "V6", ""},
    checked_property{"V7", "V7", ""},
    checked_property{"V8", "V8", ""},
    checked_property{"V9", "V9", ""},
    checked_property{"V10", "V10", ""},
    checked_property{"V11", "V11", "acknowledgements of records: share groups"},
    checked_property{"V12", "V12", ""},
    checked_property{"V13", "V13", ""},
    checked_property{"V14", "V14", ""},
    checked_property{"V15", "V15", "nested access by token: the access gate"},
    checked_property{"V16", "V16", ""},
    checked_property{"V17", "V17", ""},
    checked_property{"V18", "V18", ""},
    checked_property{"V19", "V19", "failures while a consumer is made: unit tests of client/"},
    checked_property{"V20", "V20", ""},
    checked_property{"R1", "R1", ""},
    checked_property{"R2", "R2", ""},
    checked_property{"R3", "R3", ""},
    checked_property{"R4", "R4", ""},
    checked_property{"R5", "R5", ""},
    checked_property{"R6", "R6", ""},
    checked_property{"R7", "R7", ""},
    checked_property{"R8", "", "share groups"},
    checked_property{"R9", "R9", "partitions that are only acknowledged: share groups"},
    checked_property{"R10", "R10", ""},
    checked_property{"R11", "R11", ""},
    checked_property{"R12", "R12", ""},
    checked_property{"R13", "R13", "in the middle of a TLS handshake: TLS"},
    checked_property{"R14", "", "fuzzing of the decoders: tests/fuzz"},
    checked_property{"R15", "", "fuzzing of the decoders: tests/fuzz"},
    checked_property{"R16", "", "unit tests of records/compression"},
    checked_property{"R17", "", "unit tests of records/"},
    checked_property{"R18", "", "SASL"},
    checked_property{"R19", "R19", ""},
    checked_property{"R20", "R20", ""},
    checked_property{"R21", "R21", ""},
    checked_property{"R22", "R22", ""},
    checked_property{"R23", "R23", "one failing system call after the other: tests/system"},
    checked_property{"P1", "P1", ""},
    checked_property{"P2", "V3", ""},
    checked_property{"P3", "P3", ""},
    checked_property{"P4", "P4", ""},
    checked_property{"P5", "P5", ""},
    checked_property{"P6", "", "unit tests of core/kernel: toy_wiring_test"},
};

}  // namespace

std::span<const checked_property> checked_properties() noexcept { return properties; }

std::string checked_properties_in_words() {
    const auto all = make_all_checkers();
    std::string text;
    for (const auto& property : properties) {
        std::string what;
        for (const auto& one : all) {
            if (one->id() == property.checker) what += fmt::format("{}{}", what.empty() ? "" : "; ", one->name());
        }
        if (!property.waits_for.empty()) {
            what += fmt::format("{}{}: {}", what.empty() ? "" : ". ", what.empty() ? "not here" : "The rest",
                                property.waits_for);
        }
        text += fmt::format("{:<4} {}\n", property.id, what);
    }
    return text;
}

}  // namespace strandline::testkit::sim
