// The stages of close as data: their order, their share of the time that is left, and who has to finish each.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/exchange/lifecycle_view.hpp"
#include "core/exchange/manager.hpp"

namespace strandline::core::lifecycle {

struct close_step {
    exchange::close_stage stage;
    // Part of the time left that this stage may use, in percent. What a stage does not use, the later ones have.
    int share_percent;
    kernel::manager_index finished_by;
    std::string_view what;
};

// Leaving is worth more than draining, and a listener more than either: it may be saving work.
inline constexpr std::array close_steps{
    close_step{exchange::close_stage::commit, 40, exchange::manager::commit, "commit of what was processed"},
    close_step{exchange::close_stage::callbacks, 50, exchange::manager::membership, "rebalance listener"},
    close_step{exchange::close_stage::commit_more, 50, exchange::manager::commit, "commit of what the listener added"},
    close_step{exchange::close_stage::leave, 70, exchange::manager::membership, "leave of the group"},
    close_step{exchange::close_stage::drain, 100, exchange::manager::fetch, "end of the fetch sessions"},
};

}  // namespace strandline::core::lifecycle
