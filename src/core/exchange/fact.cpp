#include "core/exchange/fact.hpp"

#include <type_traits>

namespace strandline::core::exchange {

static_assert(std::is_nothrow_move_constructible_v<fact_kinds> && std::is_nothrow_move_assignable_v<fact_kinds>);

fact::fact(const fact&) = default;
fact::fact(fact&&) noexcept = default;
fact& fact::operator=(const fact&) = default;
fact& fact::operator=(fact&&) noexcept = default;
fact::~fact() = default;

}  // namespace strandline::core::exchange
