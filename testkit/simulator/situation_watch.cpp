#include "testkit/simulator/situation_watch.hpp"

#include <optional>
#include <variant>

#include <fmt/format.h>

#include "core/exchange/wait_reason.hpp"
#include "core/explain/wait_words.hpp"
#include "core/group/consumer/member_state.hpp"

namespace strandline::testkit::sim {

namespace {

std::optional<group_request> request_of(protocol::api_key api) {
    switch (api) {
        case protocol::api_key::consumer_group_heartbeat: return group_request::heartbeat;
        case protocol::api_key::offset_commit: return group_request::commit;
        case protocol::api_key::offset_fetch: return group_request::committed;
        default: return std::nullopt;
    }
}

}  // namespace

void situation_watch::on(const observation& seen) {
    if (const auto* made = std::get_if<observed::turn_decided>(&seen.what)) {
        note(seen.consumer, *made);
    } else if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
        const auto what = request_of(sent->api);
        if (!what) return;
        auto& one = lives_[seen.consumer];
        if (one.requests.try_emplace(sent->id, *what).second) ++one.under_way[static_cast<std::size_t>(*what)];
    } else if (const auto* ended = std::get_if<observed::request_ended>(&seen.what)) {
        auto& one = lives_[seen.consumer];
        const auto found = one.requests.take(ended->id);
        if (found) --one.under_way[static_cast<std::size_t>(*found)];
    } else if (const auto* begun = std::get_if<observed::call_begun>(&seen.what)) {
        ++lives_[seen.consumer].calls[static_cast<std::size_t>(begun->what)];
    } else if (const auto* over = std::get_if<observed::call_ended>(&seen.what)) {
        auto& open = lives_[seen.consumer].calls[static_cast<std::size_t>(over->what)];
        if (open > 0) --open;
    } else if (const auto* walked = std::get_if<observed::steps_walked>(&seen.what)) {
        for (const auto& step : walked->steps) ++steps_[{static_cast<std::uint8_t>(step.table), step.from, step.to}];
    } else if (std::holds_alternative<observed::crashed>(seen.what) ||
               std::holds_alternative<observed::consumer_gone>(seen.what)) {
        lives_.erase(seen.consumer);
    }
}

std::size_t situation_watch::index_of(std::string_view member) const {
    const auto& states = core::group::consumer::member_states;
    static_assert(states.size() == member_states);
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (to_string(states[i]) == member) return i;
    }
    return 0;
}

void situation_watch::note(consumer_id who, const observed::turn_decided& made) {
    const auto& one = lives_[who];
    const auto member = index_of(made.member_state);
    const auto reach = static_cast<std::size_t>(made.coordinator);
    auto& requests = requests_[member][reach];
    bool any = false;
    for (std::size_t i = 1; i < group_requests; ++i) {
        if (one.under_way[i] == 0) continue;
        any = true;
        ++requests[i];
    }
    if (!any) ++requests[static_cast<std::size_t>(group_request::nothing)];
    for (std::size_t i = 0; i < call_kinds; ++i) {
        if (one.calls[i] == 0) continue;
        ++calls_by_member_[member][i];
        ++calls_by_reach_[reach][i];
    }
    for (const auto& wait : *made.waits) ++waits_[wait.manager][wait.why.code % reasons];
}

void situation_watch::add_to(situations& reached) const {
    const auto note_reached = [&](const std::string& name, std::uint64_t times) {
        if (times > 0) reached.reach(name, times);
    };
    for (const auto& [step, times] : steps_) {
        note_reached(to_string(table_step{static_cast<table_id>(step[0]), step[1], step[2]}), times);
    }
    for (std::size_t member = 0; member < member_states; ++member) {
        const auto name = to_string(core::group::consumer::member_states[member]);
        for (std::size_t reach = 0; reach < coordinator_reaches; ++reach) {
            for (std::size_t what = 0; what < group_requests; ++what) {
                note_reached(situation_of(name, static_cast<observed::coordinator_reach>(reach),
                                          static_cast<group_request>(what)),
                             requests_[member][reach][what]);
            }
        }
        for (std::size_t call = 0; call < call_kinds; ++call) {
            if (is_at_once(static_cast<call_kind>(call))) continue;
            note_reached(situation_of(name, static_cast<call_kind>(call)), calls_by_member_[member][call]);
        }
    }
    for (std::size_t reach = 0; reach < coordinator_reaches; ++reach) {
        for (std::size_t call = 0; call < call_kinds; ++call) {
            if (is_at_once(static_cast<call_kind>(call))) continue;
            note_reached(situation_of(static_cast<observed::coordinator_reach>(reach), static_cast<call_kind>(call)),
                         calls_by_reach_[reach][call]);
        }
    }
    for (std::size_t manager = 0; manager < waits_.size(); ++manager) {
        for (std::size_t why = 0; why < reasons; ++why) {
            if (waits_[manager][why] == 0) continue;
            reached.reach(
                fmt::format("{} {}", core::explain::manager_name(static_cast<core::kernel::manager_index>(manager)),
                            core::exchange::words(static_cast<core::exchange::wait_reason>(why))),
                waits_[manager][why]);
        }
    }
}

}  // namespace strandline::testkit::sim
