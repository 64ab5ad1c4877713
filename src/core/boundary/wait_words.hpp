// Waits of the published decision in words, for people. The wiring of a kind of consumer knows its managers and their
// reasons.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/kernel/agenda.hpp"

namespace strandline::core::boundary {

// From the one that feeds the poll down to the one that talks to brokers: each may wait for those after it.
std::span<const kernel::manager_index> managers_from_poll_down() noexcept;
// "group membership".
std::string_view manager_name(kernel::manager_index manager) noexcept;
// "awaits a connection to broker 3".
std::string wait_words(const kernel::waiting& wait);
// It could not go on even if everybody else did: worth a line in an explanation.
bool is_waiting_for_something(const kernel::waiting& wait) noexcept;

}  // namespace strandline::core::boundary
