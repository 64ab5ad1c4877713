// Which fact may follow from handling which: the edges along which facts travel within one turn. There is no way round
// in circles, so draining facts ends. consumer_core holds what happens against it.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <variant>

#include "core/exchange/fact.hpp"

namespace strandline::core::fact_table {

// Position of a kind of fact in exchange::fact.
template <class Fact, std::size_t Index = 0>
constexpr std::size_t kind_of() {
    if constexpr (std::is_same_v<std::variant_alternative_t<Index, exchange::fact_kinds>, Fact>) {
        return Index;
    } else {
        return kind_of<Fact, Index + 1>();
    }
}

inline constexpr std::size_t kinds = std::variant_size_v<exchange::fact_kinds>;

struct edge {
    std::size_t handled;
    std::size_t emitted;
};

template <class Handled, class... Emitted>
constexpr std::array<edge, sizeof...(Emitted)> from() {
    return {edge{kind_of<Handled>(), kind_of<Emitted>()}...};
}

template <std::size_t... Sizes>
constexpr auto joined(const std::array<edge, Sizes>&... parts) {
    std::array<edge, (Sizes + ...)> all{};
    std::size_t at = 0;
    const auto append = [&](const auto& part) {
        for (const auto& one : part) all[at++] = one;
    };
    (append(parts), ...);
    return all;
}

// clang-format off
inline constexpr auto edges = joined(
    // what brokers say of leaders reaches positions, and from there the fetching
    from<exchange::leader_hint, exchange::leadership_changed>(),
    // a topic that is made anew under its name begins at what is committed of it
    from<exchange::leadership_changed, exchange::partition_changed, exchange::committed_wanted>(),
    from<exchange::rebootstrap_wanted, exchange::rebootstrap_started>(),
    // a connection that ends is news to the metadata. Nobody is cut off by that: what came, readable or not, has set the
    // count of failures back
    from<exchange::answer_unreadable, exchange::metadata_stale>(),
    // a revocation: fence, commit. What is given up then, and whether more is to be revoked, is decided by an input, not
    // by a fact: the next round would begin where this one did
    from<exchange::fence_wanted, exchange::fences_met, exchange::partition_changed>(),
    from<exchange::fences_met, exchange::revocation_commit_wanted>(),
    from<exchange::revocation_commit_wanted, exchange::revocation_committed, exchange::coordinator_needed>(),
    // an assignment gets positions
    from<exchange::committed_wanted, exchange::coordinator_needed>(),
    from<exchange::partitions_gone, exchange::coordinator_needed>(),
    from<exchange::offsets_left, exchange::coordinator_needed>(),
    from<exchange::assignment_changed, exchange::committed_wanted, exchange::partition_changed, exchange::topics_of_interest>(),
    from<exchange::subscription_replaced, exchange::partition_changed, exchange::offsets_left, exchange::topics_of_interest>(),
    from<exchange::callback_acknowledged, exchange::partition_changed>(),
    from<exchange::committed_known, exchange::partition_changed>(),
    from<exchange::member_fenced, exchange::partitions_gone, exchange::assignment_changed>(),
    // an answer ends a position's phase
    from<exchange::position_out_of_range, exchange::partition_changed>(),
    from<exchange::position_doubted, exchange::partition_changed>(),
    from<exchange::partition_failed, exchange::partition_changed>());
// clang-format on

constexpr bool allows(std::size_t handled, std::size_t emitted) {
    for (const auto& one : edges) {
        if (one.handled == handled && one.emitted == emitted) return true;
    }
    return false;
}

}  // namespace strandline::core::fact_table
