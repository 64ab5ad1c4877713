#include "testkit/simulator/situation_watch.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "core/exchange/wait_reason.hpp"
#include "core/explain/wait_words.hpp"

namespace strandline::testkit::sim {

namespace {

using core::exchange::wait_reason;
namespace manager = core::exchange::manager;

constexpr std::array<std::string_view, 5> readiness_words{"ready", "searched", "unknown", "connecting", "backing off"};
constexpr std::array<std::string_view, 4> operation_words{"heartbeat", "commit", "committed", "find_coordinator"};

}  // namespace

void situation_watch::on(const observation& seen) {
    if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
        std::optional<operation> what;
        if (sent->api == protocol::api_key::consumer_group_heartbeat) what = operation::heartbeat;
        if (sent->api == protocol::api_key::offset_commit) what = operation::commit;
        if (sent->api == protocol::api_key::offset_fetch) what = operation::committed;
        if (sent->api == protocol::api_key::find_coordinator) what = operation::find_coordinator;
        if (what) lives_[seen.consumer].under_way.emplace(sent->id, *what);
    } else if (const auto* ended = std::get_if<observed::request_ended>(&seen.what)) {
        lives_[seen.consumer].under_way.erase(ended->id);
    } else if (const auto* made = std::get_if<observed::turn_decided>(&seen.what)) {
        note(seen.consumer, *made);
    } else if (std::holds_alternative<observed::crashed>(seen.what) ||
               std::holds_alternative<observed::consumer_gone>(seen.what)) {
        lives_.erase(seen.consumer);
    }
}

void situation_watch::note(consumer_id who, const observed::turn_decided& made) {
    auto& one = lives_[who];
    if (!one.state.empty() && one.state != made.member_state) ++changes_[{one.state, made.member_state}];
    one.state = made.member_state;
    auto coordinator = readiness::ready;
    for (const auto& wait : made.waits) {
        ++waits_[{wait.manager, wait.why.code}];
        const auto why = static_cast<wait_reason>(wait.why.code);
        if (wait.manager == manager::coordinator && why == wait_reason::coordinator_search) {
            coordinator = readiness::searched;
        }
        if (wait.manager != manager::membership && wait.manager != manager::commit) continue;
        if (why == wait_reason::broker_connecting) coordinator = readiness::connecting;
        if (why == wait_reason::broker_backing_off) coordinator = readiness::backing_off;
        if (why == wait_reason::coordinator_unknown && coordinator == readiness::ready) {
            coordinator = readiness::unknown;
        }
    }
    combination now{one.state, coordinator, 0};
    for (const auto& [id, what] : one.under_way)
        now.under_way |= static_cast<std::uint8_t>(1U << static_cast<unsigned>(what));
    ++combinations_[now];
}

void situation_watch::add_to(situations& reached) const {
    for (const auto& [change, times] : changes_) {
        reached.reach(fmt::format("member {} -> {}", change.first, change.second), times);
    }
    for (const auto& [what, times] : combinations_) {
        std::string under_way;
        for (std::size_t i = 0; i < operation_words.size(); ++i) {
            if ((what.under_way >> i & 1U) == 0) continue;
            under_way += fmt::format("{}{}", under_way.empty() ? "" : "+", operation_words[i]);
        }
        reached.reach(fmt::format("member {}, coordinator {}, under way: {}", what.state,
                                  readiness_words[static_cast<std::size_t>(what.coordinator)],
                                  under_way.empty() ? "nothing" : under_way),
                      times);
    }
    for (const auto& [what, times] : waits_) {
        reached.reach(fmt::format("{} {}", core::explain::manager_name(what.first),
                                  core::exchange::words(static_cast<wait_reason>(what.second))),
                      times);
    }
}

}  // namespace strandline::testkit::sim
