// Turns of the trace in words.
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "core/boundary/command.hpp"
#include "core/boundary/explain.hpp"
#include "core/exchange/wait_reason.hpp"
#include "core/explain/wait_words.hpp"

namespace strandline::core::boundary {

namespace {

constexpr std::array<std::string_view, std::variant_size_v<command_kinds>> command_names{
    "subscribe",   "unsubscribe",       "assign", "pause",     "resume",       "seek",
    "seek_to",     "position",          "commit", "committed", "list_offsets", "partitions_for",
    "list_topics", "callback_finished", "cancel", "close"};

void add_rest(std::vector<std::string>& to, std::size_t count, std::size_t listed, std::string_view what) {
    if (count > listed) to.push_back(fmt::format("{} more {}", count - listed, what));
}

void add_count(std::vector<std::string>& to, std::size_t count, std::string_view one, std::string_view many) {
    if (count > 0) to.push_back(count == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}", count, many));
}

std::vector<std::string> came_in(const turn_record& turn) {
    std::vector<std::string> words;
    for (const auto kind : turn.commands) {
        words.push_back(fmt::format("command {}", kind < command_names.size() ? command_names[kind] : "?"));
    }
    add_rest(words, turn.commands.count, turn.commands.kept(), "commands");
    for (const auto& answer : turn.answers) {
        words.push_back(fmt::format(
            "{} request {} of {} from {} after {}", answer.failed ? "no answer to" : "answer to", answer.request,
            explain::manager_name(answer.owner), explain::broker_name(answer.broker), explain::seconds(answer.took)));
    }
    add_rest(words, turn.answers.count, turn.answers.kept(), "answers");
    add_count(words, turn.network_events, "network event", "network events");
    if (turn.checkpoint) words.emplace_back("checkpoint");
    add_count(words, turn.fences, "fence met", "fences met");
    add_count(words, turn.drained, "buffer drained", "buffers drained");
    return words;
}

std::vector<std::string> answered(const turn_record& turn) {
    std::vector<std::string> words;
    for (std::size_t manager = 0; manager < turn.answered_by.size(); ++manager) {
        const auto& by = turn.answered_by[manager];
        const bool is_idle = by.why.code == static_cast<std::uint16_t>(exchange::wait_reason::nothing_to_do);
        if (!by.asked || (is_idle && by.progress == 0)) continue;
        auto text = fmt::format("{} {}", explain::manager_name(static_cast<kernel::manager_index>(manager)),
                                explain::wait_words(by.why));
        if (by.progress > 0) text += fmt::format(" after putting out {}", by.progress);
        words.push_back(std::move(text));
    }
    return words;
}

std::vector<std::string> went_out(const turn_record& turn) {
    std::vector<std::string> words;
    for (const auto& request : turn.requests) {
        words.push_back(fmt::format("{} request {} to {}", protocol::name(request.api), request.request,
                                    explain::broker_name(request.broker)));
    }
    add_rest(words, turn.requests.count, turn.requests.kept(), "requests");
    add_count(words, turn.connections, "connection opened", "connections opened");
    add_count(words, turn.fetches, "completed fetch", "completed fetches");
    add_count(words, turn.notices, "notice", "notices");
    add_count(words, turn.completions, "call ended", "calls ended");
    return words;
}

}  // namespace

explained_turn words_of(const turn_record& turn, base::instant now) {
    return {.number = turn.number,
            .age = std::chrono::duration_cast<std::chrono::milliseconds>(now - turn.at),
            .came_in = came_in(turn),
            .answered = answered(turn),
            .went_out = went_out(turn)};
}

}  // namespace strandline::core::boundary
