#include "core/boundary/command.hpp"

#include <type_traits>

namespace strandline::core::boundary {

static_assert(std::is_nothrow_move_constructible_v<command_kinds> && std::is_nothrow_move_assignable_v<command_kinds>);

any_command::any_command(const any_command&) = default;
any_command::any_command(any_command&&) noexcept = default;
any_command& any_command::operator=(const any_command&) = default;
any_command& any_command::operator=(any_command&&) noexcept = default;
any_command::~any_command() = default;

}  // namespace strandline::core::boundary
