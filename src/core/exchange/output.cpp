#include "core/exchange/output.hpp"

#include <type_traits>

namespace strandline::core::exchange {

static_assert(std::is_nothrow_move_constructible_v<output_kinds> && std::is_nothrow_move_assignable_v<output_kinds>);

output::output(output&&) noexcept = default;
output& output::operator=(output&&) noexcept = default;
output::~output() = default;

}  // namespace strandline::core::exchange
