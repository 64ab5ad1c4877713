// Everything a manager of a regular consumer may put out; released only after the turn's decision is published.
#pragma once

#include <variant>

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

// One of them, special members out of line like those of any_command.
class output : public output_kinds {
public:
    using output_kinds::variant;
    output(output&&) noexcept;
    output& operator=(output&&) noexcept;
    ~output();
};

using plan = kernel::plan<output>;
using outbox = kernel::outputs<output>;

}  // namespace strandline::core::exchange
