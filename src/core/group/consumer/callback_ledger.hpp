// The rebalance callbacks that were asked for and not answered yet. Each is answered once, in the order of asking.
#pragma once

#include <map>
#include <optional>

#include <strandline/topic_partition.hpp>

#include "core/boundary/notice.hpp"

namespace strandline::core::group::consumer {

class callback_ledger {
public:
    using kind = boundary::callback_wanted::kind;

    // The notice that asks for it.
    boundary::callback_wanted ask(boundary::callback_id id, kind what, partitions which);
    // The same for what was about to be revoked and is lost now: takes the place of the revoked-callback that is open,
    // if one is. No notice if there is nothing to say.
    std::optional<boundary::callback_wanted> ask_lost(boundary::callback_id id, partitions which);

    struct answered {
        kind what;
        partitions which;
    };
    // None: it was not asked for, or another one took its place.
    std::optional<answered> answer(boundary::callback_id id);
    // These, in order, are given up: an assigned-callback that is still open will not vouch for them.
    void give_up(const partitions& which);

    bool open(kind what) const noexcept;
    // The oldest open one that gives up partitions.
    std::optional<boundary::callback_id> open_giving_up() const noexcept;

private:
    std::map<boundary::callback_id, answered> open_;
};

}  // namespace strandline::core::group::consumer
