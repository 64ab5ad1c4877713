// Everything a manager of a regular consumer may put out; released only after the turn's decision is published.
#pragma once

#include <variant>

#include "base/kept_apart.hpp"
#include "core/boundary/completion.hpp"
#include "core/boundary/delivery.hpp"
#include "core/boundary/notice.hpp"
#include "core/exchange/lifecycle_view.hpp"
#include "core/exchange/request.hpp"
#include "core/kernel/plan.hpp"

namespace strandline::core::exchange {

// The stage of close that the lifecycle view shows has nothing left to do for this manager. Put out from plan(), once a
// stage.
struct stage_finished {
    close_stage stage = close_stage::open;
    offsets uncommitted = {};  // what a commit stage gave up on: processed, not committed
    std::string undone = {};  // in words, when the stage ended without what it was for
};

using output_kinds =
    std::variant<outbound_request, connection_wanted, boundary::completion, boundary::notice, boundary::completed_fetch,
                 boundary::slot_updates, boundary::buffer_recall, stage_finished>;

// One of them.
class output : public base::kept_apart<output_kinds> {
public:
    using kept_apart::kept_apart;
};

using plan = kernel::plan<output>;
using outbox = kernel::outputs<output>;

}  // namespace strandline::core::exchange

extern template class strandline::base::kept_apart<strandline::core::exchange::output_kinds>;
