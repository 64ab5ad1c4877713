// Everything a manager of a regular consumer may put out; released only after the turn's decision is published.
#pragma once

#include <variant>

#include "core/boundary/completion.hpp"
#include "core/boundary/delivery.hpp"
#include "core/boundary/notice.hpp"
#include "core/exchange/request.hpp"
#include "core/kernel/plan.hpp"

namespace strandline::core::exchange {

using output = std::variant<outbound_request, connection_wanted, boundary::completion, boundary::notice,
                            boundary::completed_fetch, boundary::slot_update>;

using plan = kernel::plan<output>;
using outbox = kernel::outputs<output>;

}  // namespace strandline::core::exchange
