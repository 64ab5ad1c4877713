// A sum type whose copies, moves and end are made in one file.
#pragma once

#include <type_traits>

namespace strandline::base {

// Kinds is a std::variant of many kinds. Copying, moving and ending one visits all of them, and made anew in every file
// that holds one it is up to two fifths of what such a file costs to compile (docs/decisions/0024). To be used so:
//
//     class shape : public base::kept_apart<shape_kinds> { public: using kept_apart::kept_apart; };
//     extern template class base::kept_apart<shape_kinds>;   // beside it; without `extern` in its .cpp
//
// A class rather than an alias, so that names of functions and messages of the compiler say `shape` and not the list.
template <class Kinds>
class kept_apart : public Kinds {
public:
    static_assert(std::is_nothrow_move_constructible_v<Kinds> && std::is_nothrow_move_assignable_v<Kinds>);

    using Kinds::Kinds;
    kept_apart(const kept_apart&)
        requires std::is_copy_constructible_v<Kinds>;
    kept_apart(kept_apart&&) noexcept;
    kept_apart& operator=(const kept_apart&)
        requires std::is_copy_assignable_v<Kinds>;
    kept_apart& operator=(kept_apart&&) noexcept;
    ~kept_apart();
};

template <class Kinds>
kept_apart<Kinds>::kept_apart(const kept_apart&)
    requires std::is_copy_constructible_v<Kinds>
= default;

template <class Kinds>
kept_apart<Kinds>::kept_apart(kept_apart&&) noexcept = default;

template <class Kinds>
kept_apart<Kinds>& kept_apart<Kinds>::operator=(const kept_apart&)
    requires std::is_copy_assignable_v<Kinds>
= default;

template <class Kinds>
kept_apart<Kinds>& kept_apart<Kinds>::operator=(kept_apart&&) noexcept = default;

template <class Kinds>
kept_apart<Kinds>::~kept_apart() = default;

}  // namespace strandline::base
