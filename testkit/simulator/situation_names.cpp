#include "testkit/simulator/situation_names.hpp"

#include <array>

#include <fmt/format.h>

#include "core/group/consumer/member_state.hpp"
#include "testkit/simulator/answer_errors.hpp"
#include "testkit/simulator/fault_kind.hpp"

namespace strandline::testkit::sim {

namespace {

constexpr std::array<std::string_view, coordinator_reaches> reach_words{"unknown",    "searched",    "unconnected",
                                                                        "connecting", "backing off", "ready"};
constexpr std::array<std::string_view, group_requests> request_words{"nothing", "heartbeat", "commit", "committed"};
constexpr std::array<std::string_view, call_kinds> call_words{
    "subscribe", "unsubscribe",  "assign",    "pause",        "resume",         "seek",        "seek_to", "position",
    "commit",    "commit_async", "committed", "list_offsets", "partitions_for", "list_topics", "poll",    "close"};

void add_steps(std::vector<std::string>& all) {
    const auto tables = transition_tables();
    for (std::size_t i = 0; i < tables.size(); ++i) {
        for (std::size_t from = 0; from < tables[i].states; ++from) {
            for (std::size_t to = 0; to < tables[i].states; ++to) {
                if (from == to || !tables[i].may_follow(from, to)) continue;
                all.push_back(to_string(table_step{static_cast<table_id>(i), static_cast<std::uint8_t>(from),
                                                   static_cast<std::uint8_t>(to)}));
            }
        }
    }
}

void add_members(std::vector<std::string>& all) {
    for (const auto state : core::group::consumer::member_states) {
        const auto name = to_string(state);
        for (std::size_t reach = 0; reach < coordinator_reaches; ++reach) {
            for (std::size_t what = 0; what < group_requests; ++what) {
                all.push_back(situation_of(name, static_cast<observed::coordinator_reach>(reach),
                                           static_cast<group_request>(what)));
            }
        }
    }
}

void add_calls(std::vector<std::string>& all) {
    for (std::size_t i = 0; i < call_kinds; ++i) {
        const auto call = static_cast<call_kind>(i);
        if (is_at_once(call)) continue;
        for (const auto state : core::group::consumer::member_states) {
            all.push_back(situation_of(to_string(state), call));
        }
        for (std::size_t reach = 0; reach < coordinator_reaches; ++reach) {
            all.push_back(situation_of(static_cast<observed::coordinator_reach>(reach), call));
        }
    }
}

}  // namespace

std::string_view to_string(observed::coordinator_reach reach) noexcept {
    return reach_words[static_cast<std::size_t>(reach)];
}
std::string_view to_string(call_kind what) noexcept { return call_words[static_cast<std::size_t>(what)]; }

std::string situation_of(std::string_view member, observed::coordinator_reach coordinator, group_request what) {
    return fmt::format("member {}, coordinator {}, {} under way", member, to_string(coordinator),
                       request_words[static_cast<std::size_t>(what)]);
}
std::string situation_of(std::string_view member, call_kind what) {
    return fmt::format("member {}, in {}()", member, to_string(what));
}
std::string situation_of(observed::coordinator_reach coordinator, call_kind what) {
    return fmt::format("coordinator {}, in {}()", to_string(coordinator), to_string(what));
}
std::string situation_of(protocol::api_key api, protocol::broker_error error) {
    return fmt::format("{} is answered {}", protocol::name(api), protocol::name(error));
}

std::vector<std::string> all_situations() {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < fault_kinds; ++i) {
        all.push_back(fmt::format("fault {}", to_string(static_cast<fault_kind>(i))));
    }
    add_steps(all);
    add_members(all);
    add_calls(all);
    for (const auto& one : answer_errors()) all.push_back(situation_of(one.api, one.error));
    for (const auto& one : seldom_errors()) all.push_back(situation_of(one.api, one.error));
    for (const auto& one : own_errors()) all.push_back(situation_of(one.api, one.error));
    return all;
}

}  // namespace strandline::testkit::sim
