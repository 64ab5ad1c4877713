#include "core/boundary/completion.hpp"

#include <type_traits>

namespace strandline::core::boundary {

static_assert(std::is_nothrow_move_constructible_v<operation_value_kinds> &&
              std::is_nothrow_move_assignable_v<operation_value_kinds>);

operation_value::operation_value(const operation_value&) = default;
operation_value::operation_value(operation_value&&) noexcept = default;
operation_value& operation_value::operator=(const operation_value&) = default;
operation_value& operation_value::operator=(operation_value&&) noexcept = default;
operation_value::~operation_value() = default;

}  // namespace strandline::core::boundary
