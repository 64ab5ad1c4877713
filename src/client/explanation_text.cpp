// Explanations as text.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <strandline/explanation.hpp>

namespace strandline::inline v0 {

namespace {

// More are in `turns`.
constexpr std::ptrdiff_t most_turns_printed = 8;

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& one : words) text += (text.empty() ? "" : ", ") + one;
    return text;
}

}  // namespace

std::string_view to_string(wait_cause cause) noexcept {
    switch (cause) {
        case wait_cause::not_subscribed: return "not_subscribed";
        case wait_cause::poll_awaited: return "poll_awaited";
        case wait_cause::max_poll_exceeded: return "max_poll_exceeded";
        case wait_cause::records_ready: return "records_ready";
        case wait_cause::callback_running: return "callback_running";
        case wait_cause::checkpoint_awaited: return "checkpoint_awaited";
        case wait_cause::memory_held: return "memory_held";
        case wait_cause::paused: return "paused";
        case wait_cause::partition_stands: return "partition_stands";
        case wait_cause::closing: return "closing";
        case wait_cause::closed: return "closed";
        case wait_cause::nothing_assigned: return "nothing_assigned";
        case wait_cause::topic_unknown: return "topic_unknown";
        case wait_cause::pattern_unmatched: return "pattern_unmatched";
        case wait_cause::partition_unknown: return "partition_unknown";
        case wait_cause::topic_id_unknown: return "topic_id_unknown";
        case wait_cause::joining: return "joining";
        case wait_cause::rejoining: return "rejoining";
        case wait_cause::coordinator_unknown: return "coordinator_unknown";
        case wait_cause::coordinator_unavailable: return "coordinator_unavailable";
        case wait_cause::commit_awaited: return "commit_awaited";
        case wait_cause::instance_id_in_use: return "instance_id_in_use";
        case wait_cause::not_authorized: return "not_authorized";
        case wait_cause::refused_for_good: return "refused_for_good";
        case wait_cause::connecting: return "connecting";
        case wait_cause::broker_unreachable: return "broker_unreachable";
        case wait_cause::name_not_resolved: return "name_not_resolved";
        case wait_cause::wrong_protocol: return "wrong_protocol";
        case wait_cause::broker_silent: return "broker_silent";
        case wait_cause::throttled: return "throttled";
        case wait_cause::leader_unknown: return "leader_unknown";
        case wait_cause::retrying: return "retrying";
        case wait_cause::answer_awaited: return "answer_awaited";
        case wait_cause::position_lookup: return "position_lookup";
        case wait_cause::position_validation: return "position_validation";
        case wait_cause::records_awaited: return "records_awaited";
        case wait_cause::end_of_partitions: return "end_of_partitions";
        case wait_cause::other: return "other";
    }
    return "other";
}

std::ostream& operator<<(std::ostream& out, wait_cause cause) { return out << to_string(cause); }

std::string to_string(const explanation_chain& chain) {
    std::string text;
    for (const auto& step : chain.steps) text += (text.empty() ? "" : " <- ") + step.text;
    if (!chain.steps.empty() && !chain.steps.back().ends_with.empty()) {
        text += fmt::format(" (ends with {})", chain.steps.back().ends_with);
    }
    return text;
}

std::string to_string(const explained_turn& turn) {
    auto text =
        fmt::format("turn {}, {:.1f} s ago: in {}", turn.number, std::chrono::duration<double>(turn.age).count(),
                    turn.came_in.empty() ? "no input: its time had come, or bytes" : joined(turn.came_in));
    if (!turn.answered.empty()) text += " | " + joined(turn.answered);
    if (!turn.went_out.empty()) text += " | out " + joined(turn.went_out);
    return text;
}

std::string to_string(const explanation& why) {
    auto text = fmt::format("{}: {}\n", to_string(why.cause), why.summary);
    if (!why.first.steps.empty()) text += "  " + to_string(why.first) + "\n";
    for (const auto& chain : why.also) text += "  also " + to_string(chain) + "\n";
    for (const auto& remark : why.remarks) text += "  - " + remark + "\n";
    const auto printed = std::min(std::ssize(why.turns), most_turns_printed);
    for (auto turn = why.turns.end() - printed; turn != why.turns.end(); ++turn)
        text += "  . " + to_string(*turn) + "\n";
    return text;
}

std::ostream& operator<<(std::ostream& out, const explanation& why) { return out << to_string(why); }

}  // namespace strandline::inline v0
