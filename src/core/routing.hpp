// Who owns which input of a regular consumer: a table, read by consumer_core and by nobody else.
#pragma once

#include <type_traits>

#include "core/boundary/command.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/manager.hpp"

namespace strandline::core::routing {

namespace command = boundary::command;
namespace manager = exchange::manager;

template <kernel::manager_index Manager, class... Inputs>
struct row {
    static constexpr kernel::manager_index owner = Manager;
    template <class Input>
    static constexpr bool has = (std::is_same_v<Input, Inputs> || ...);
};

template <class... Rows>
struct rows {
    template <class Input>
    static constexpr kernel::manager_index owner() {
        static_assert((0 + ... + int{Rows::template has<Input>}) == 1, "every input has exactly one owner");
        return static_cast<kernel::manager_index>((0 + ... + (Rows::template has<Input> ? Rows::owner : 0)));
    }
};

// clang-format off
using table = rows<
    row<manager::lifecycle,
        command::close,
        exchange::fatal_error>,
    row<manager::metadata,
        command::partitions_for, command::list_topics,
        exchange::topics_of_interest, exchange::metadata_stale, exchange::leader_hint, exchange::broker_address_learnt,
        exchange::rebootstrap_wanted>,
    row<manager::coordinator,
        exchange::coordinator_needed, exchange::coordinator_lost>,
    row<manager::membership,
        command::subscribe, command::unsubscribe, command::callback_finished,
        exchange::topics_changed, exchange::fences_met, exchange::revocation_committed, exchange::member_fenced>,
    row<manager::commit,
        command::commit, command::committed,
        exchange::revocation_commit_wanted, exchange::committed_wanted, exchange::partitions_gone, exchange::offsets_left>,
    row<manager::position,
        command::assign, command::pause, command::resume, command::seek, command::seek_to, command::position,
        exchange::assignment_changed, exchange::fence_wanted, exchange::callback_acknowledged,
        exchange::subscription_replaced, exchange::leadership_changed, exchange::committed_known,
        exchange::offsets_committed, exchange::position_advanced, exchange::position_out_of_range,
        exchange::position_doubted, exchange::partition_failed>,
    row<manager::offset_lookup,
        command::list_offsets>,
    row<manager::fetch,
        exchange::partition_changed>,
    row<manager::connection,
        exchange::rebootstrap_started, exchange::broker_throttled, exchange::answer_unreadable>>;
// clang-format on

template <class Input>
inline constexpr kernel::manager_index owner = table::owner<Input>();

}  // namespace strandline::core::routing
