#include "core/boundary/wait_words.hpp"

#include <array>
#include <string>

#include "core/exchange/manager.hpp"
#include "core/exchange/wait_reason.hpp"

namespace strandline::core::boundary {

namespace manager = exchange::manager;

namespace {

constexpr std::array<kernel::manager_index, manager::count> poll_down{
    manager::fetch,     manager::position,    manager::offset_lookup, manager::commit,    manager::membership,
    manager::lifecycle, manager::coordinator, manager::metadata,      manager::connection};

constexpr std::array<std::string_view, manager::count> names{"closing",          "metadata", "coordinator lookup",
                                                             "group membership", "commits",  "positions",
                                                             "offset lookup",    "fetching", "connections"};

}  // namespace

std::span<const kernel::manager_index> managers_from_poll_down() noexcept { return poll_down; }

std::string_view manager_name(kernel::manager_index index) noexcept {
    return index < names.size() ? names[index] : "?";
}

std::string wait_words(const kernel::waiting& wait) {
    std::string text(exchange::words(static_cast<exchange::wait_reason>(wait.why.code)));
    if (wait.why.subject != 0) text += " " + std::to_string(wait.why.subject);
    return text;
}

bool is_waiting_for_something(const kernel::waiting& wait) noexcept {
    return static_cast<exchange::wait_reason>(wait.why.code) != exchange::wait_reason::nothing_to_do;
}

}  // namespace strandline::core::boundary
