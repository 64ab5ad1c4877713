// Asynchronous commits that wait, in two places: for the reactor's next turn, and then to be sent. In both the same
// number may wait, and what is beyond folds by the same rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <ranges>
#include <utility>

#include <strandline/error.hpp>

namespace strandline::core::boundary {

inline constexpr std::size_t asynchronous_commit_limit = 64;

// What something that waits is to the rule.
enum class folding_role : std::uint8_t {
    no_commit,
    barrier,    // a commit that somebody waits for, or of the consumer's own: nothing folds across it
    named,      // asynchronous, of offsets that were named
    processed,  // asynchronous, of what will have been processed once it is looked at
};

// The commit that folds, and the one that takes it in: the newest pair of named ones of which nothing else was asked in
// between, which the older one would undo. Or what was processed, if that is asked for later all the same.
template <std::ranges::bidirectional_range Waiting, class RoleOf>
auto find_fold(Waiting&& waiting, RoleOf role_of)
    -> std::optional<std::pair<std::ranges::iterator_t<Waiting>, std::ranges::iterator_t<Waiting>>> {
    const auto end = std::ranges::end(waiting);
    auto next = end;
    auto processed_later = end;
    for (auto it = end; it != std::ranges::begin(waiting);) {
        --it;
        const auto role = role_of(*it);
        if (role == folding_role::no_commit) continue;
        if (role == folding_role::named && next != end && role_of(*next) == role) return std::pair(it, next);
        if (role == folding_role::processed) {
            if (processed_later != end) return std::pair(it, processed_later);
            processed_later = it;
        }
        next = it;
    }
    return std::nullopt;
}

// How the operation of a commit ends that a newer one has taken in.
error commit_superseded();

}  // namespace strandline::core::boundary
