#include "core/boundary/notice.hpp"

#include <type_traits>

namespace strandline::core::boundary {

static_assert(std::is_nothrow_move_constructible_v<notice_kinds> && std::is_nothrow_move_assignable_v<notice_kinds>);

notice::notice(const notice&) = default;
notice::notice(notice&&) noexcept = default;
notice& notice::operator=(const notice&) = default;
notice& notice::operator=(notice&&) noexcept = default;
notice::~notice() = default;

}  // namespace strandline::core::boundary
