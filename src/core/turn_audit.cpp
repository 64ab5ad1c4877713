#include "core/turn_audit.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/exchange/fingerprint.hpp"
#include "core/routing.hpp"

namespace strandline::core {

using exchange::owned_views;

namespace {

template <class Source>
const auto& value_of(const Source& source) {
    return source.get();
}

}  // namespace

turn_audit::seen_view turn_audit::look_at(std::size_t index) const {
    using exchange::fingerprint;
    switch (index) {
        case exchange::view::cluster: return {fingerprint(views_.cluster.get()), views_.cluster.version()};
        case exchange::view::connections:
            return {fingerprint(*views_.connections.get().connections, views_.cluster.get(), 4),
                    views_.connections.version()};
        case exchange::view::coordinator: return {fingerprint(views_.coordinator.get()), views_.coordinator.version()};
        case exchange::view::member: return {fingerprint(views_.member.get()), views_.member.version()};
        case exchange::view::subscription:
            return {fingerprint(views_.subscription.get()), views_.subscription.version()};
        default: return {fingerprint(views_.lifecycle.get()), views_.lifecycle.version()};
    }
}

void turn_audit::begin() {
    for (std::size_t i = 0; i < view_count; ++i) seen_[i] = look_at(i);
}

void turn_audit::after(kernel::manager_index who) {
    // Which brokers the connections are asked about comes from the cluster view: if that moved, they are looked at
    // afresh.
    const bool brokers_moved = views_.cluster.version() != seen_[exchange::view::cluster].version;
    for (std::size_t i = 0; i < view_count; ++i) {
        const auto now = look_at(i);
        const auto before = std::exchange(seen_[i], now);
        if (now.fingerprint == before.fingerprint) continue;
        if (i == exchange::view::connections && brokers_moved && now.version == before.version) continue;
        const auto& view = owned_views[i];
        if (view.owner != who) {
            breaches_.push_back({contract_clause::foreign_write,
                                 fmt::format("the {} view, which belongs to manager {}, was changed by manager {}",
                                             view.name, view.owner, who)});
        } else if (now.version == before.version) {
            breaches_.push_back(
                {contract_clause::unversioned_write,
                 fmt::format("manager {} changed the {} view without its version: nobody who awaits it is asked", who,
                             view.name)});
        }
    }
}

std::uint64_t turn_audit::fingerprint_of(kernel::manager_index owner) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < view_count; ++i) {
        if (owned_views[i].owner == owner) sum = sum * 31 + look_at(i).fingerprint;
    }
    return sum;
}

bool turn_audit::holds(const exchange::fact& fact) const {
    const auto& subscription = views_.subscription.get();
    const auto current = [&](const auto& named) {
        const auto* state = subscription.find(named.slot);
        return state && state->era == named.era ? state : nullptr;
    };
    return std::visit(
        [&]<class Fact>(const Fact& what) {
            if constexpr (std::is_same_v<Fact, exchange::coordinator_lost>) {
                return views_.coordinator.get().known() && views_.coordinator.get().version == what.version;
            } else if constexpr (std::is_same_v<Fact, exchange::member_fenced>) {
                return views_.member.get().in_group && views_.member.get().epoch == what.seen;
            } else if constexpr (std::is_same_v<Fact, exchange::committed_known> ||
                                 std::is_same_v<Fact, exchange::position_doubted> ||
                                 std::is_same_v<Fact, exchange::partition_failed>) {
                return current(what) != nullptr;
            } else if constexpr (std::is_same_v<Fact, exchange::position_advanced>) {
                const auto* state = current(what);
                return state && state->position && state->position->offset == what.from;
            } else if constexpr (std::is_same_v<Fact, exchange::position_out_of_range>) {
                const auto* state = current(what);
                return state && state->position && state->position->offset == what.offset;
            } else {
                return true;  // says what is wanted, not what was seen
            }
        },
        fact);
}

}  // namespace strandline::core
