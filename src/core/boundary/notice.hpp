// What the application must hear without having asked.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/position_reset.hpp>
#include <strandline/topic_partition.hpp>

#include "base/kept_apart.hpp"
#include "core/boundary/identity.hpp"

namespace strandline::core::boundary {

// The rebalance listener is wanted, inside the next poll. Answered by command::callback_finished with the same id.
struct callback_wanted {
    enum class kind { assigned, revoked, lost };
    callback_id id;
    kind what = kind::assigned;
    partitions which;
    // What was to be revoked is lost meanwhile. If that callback has not begun, this one takes its place: the earlier
    // one is dropped without an answer, and its partitions are added to `which`. If it has begun, it ends and is
    // answered as ever. A callback that is left without partitions is answered at once.
    std::optional<callback_id> supersedes = {};
};
// An error for the next poll to report, once: authorization, max.poll.interval exceeded, a fatal refusal by the group.
struct error_raised {
    error reason;
};

// The reset policy has decided on positions; nothing waits for it, the next poll shows it.
struct positions_reset {
    std::vector<position_reset> which;
};

using notice_kinds = std::variant<callback_wanted, error_raised, positions_reset>;

// One of them.
class notice : public base::kept_apart<notice_kinds> {
public:
    using kept_apart::kept_apart;
};

}  // namespace strandline::core::boundary

extern template class strandline::base::kept_apart<strandline::core::boundary::notice_kinds>;
