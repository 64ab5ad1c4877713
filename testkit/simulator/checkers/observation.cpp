#include "testkit/simulator/checkers/observation.hpp"

#include <type_traits>

namespace strandline::testkit::sim {

static_assert(std::is_nothrow_move_constructible_v<happening_kinds> &&
              std::is_nothrow_move_assignable_v<happening_kinds>);

happening::happening(const happening&) = default;
happening::happening(happening&&) noexcept = default;
happening& happening::operator=(const happening&) = default;
happening& happening::operator=(happening&&) noexcept = default;
happening::~happening() = default;

}  // namespace strandline::testkit::sim
