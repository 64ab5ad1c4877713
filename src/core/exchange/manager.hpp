// The managers of a regular consumer in their declared order, the views they own, and what each is built from.
#pragma once

#include <array>
#include <cstdint>

#include "base/instant.hpp"
#include "base/random_source.hpp"
#include "base/strong.hpp"
#include "core/boundary/core_config.hpp"
#include "core/exchange/fact.hpp"
#include "core/kernel/facts.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::exchange {

// Lower ones are asked first. Connections come last: what others want of them is known by then.
namespace manager {
inline constexpr kernel::manager_index lifecycle = 0;
inline constexpr kernel::manager_index metadata = 1;
inline constexpr kernel::manager_index coordinator = 2;
inline constexpr kernel::manager_index membership = 3;
inline constexpr kernel::manager_index commit = 4;
inline constexpr kernel::manager_index position = 5;
inline constexpr kernel::manager_index offset_lookup = 6;
inline constexpr kernel::manager_index fetch = 7;
inline constexpr kernel::manager_index connection = 8;
inline constexpr kernel::manager_index count = 9;
}  // namespace manager

namespace view {
inline constexpr kernel::view_index cluster = 0;
inline constexpr kernel::view_index connections = 1;
inline constexpr kernel::view_index coordinator = 2;
inline constexpr kernel::view_index member = 3;
inline constexpr kernel::view_index subscription = 4;  // which partitions are assigned, and their states
inline constexpr kernel::view_index lifecycle = 5;     // is the consumer closing?
}  // namespace view

struct owned_view {
    kernel::view_index view;
    kernel::manager_index owner;  // nobody else writes it
    const char* name;
};
// By view.
inline constexpr std::array owned_views{owned_view{view::cluster, manager::metadata, "cluster"},
                                        owned_view{view::connections, manager::connection, "connections"},
                                        owned_view{view::coordinator, manager::coordinator, "coordinator"},
                                        owned_view{view::member, manager::membership, "member"},
                                        owned_view{view::subscription, manager::position, "subscription"},
                                        owned_view{view::lifecycle, manager::lifecycle, "lifecycle"}};

// One turn is one instant; both clocks are read once.
struct turn_time {
    base::instant now;
    base::wall_time wall;  // for timestamps that go on the wire, nothing else
};

// Numbers requests and callbacks; unique within a consumer's life.
class id_source {
public:
    std::uint64_t next() noexcept { return ++last_; }

private:
    std::uint64_t last_ = 0;
};

// What every manager is given. All of it outlives the managers.
struct manager_context {
    const boundary::core_config& config;
    base::random_source& random;
    id_source& ids;
    kernel::fact_sink<fact>& facts;
    kernel::view_log& views;
};

}  // namespace strandline::core::exchange
