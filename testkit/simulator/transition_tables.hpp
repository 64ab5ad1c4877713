// Every transition table of the core, as data: what a state machine may do, so that what it did can be compared with
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace strandline::testkit::sim {

// In the order of transition_tables().
enum class table_id : std::uint8_t { member, partition, connection, close, fact };
inline constexpr std::size_t table_count = 5;

struct transition_table {
    std::string_view name;
    std::size_t states;
    std::string_view (*state)(std::size_t index);
    bool (*may_follow)(std::size_t from, std::size_t to);
};
std::span<const transition_table> transition_tables() noexcept;

// One step of one table.
struct table_step {
    table_id table{};
    std::uint8_t from = 0;
    std::uint8_t to = 0;
};
// "member joining -> stable".
std::string to_string(table_step step);

}  // namespace strandline::testkit::sim
