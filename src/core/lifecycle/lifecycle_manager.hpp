// Closes the consumer: one plan, a budget per stage, always done by the deadline. It decides when a stage ends; what a
// stage does is its manager's business. Reactor only; owned by consumer_core.
// In: on_time, on_command(close), on_stage_finished, on_fact(fatal_error).  Out: plan(time), the lifecycle view.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <strandline/error.hpp>

#include "core/boundary/command.hpp"
#include "core/boundary/completion.hpp"
#include "core/exchange/failure_cause.hpp"
#include "core/exchange/lifecycle_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/kernel/walked_steps.hpp"

namespace strandline::core::lifecycle {

class lifecycle_manager {
public:
    explicit lifecycle_manager(const exchange::manager_context& context);

    const kernel::versioned<exchange::lifecycle_view>& view_source() const noexcept { return view_; }

    // Apply, every turn before other inputs: ends a stage whose share of the time is used up.
    void on_time(exchange::turn_time time);
    // The first close starts the plan. A later one waits for the same end and can only bring the deadline forward.
    void on_command(const boundary::command::close& command, boundary::operation_token token, base::instant deadline,
                    exchange::turn_time time);
    void on_cancel(boundary::operation_token token, exchange::turn_time time);
    void on_stage_finished(kernel::manager_index who, const exchange::stage_finished& report, exchange::turn_time time);
    // The group or the cluster refuses this consumer for good; the next poll says so.
    void on_fact(const exchange::fatal_error& fact, exchange::turn_time time);

    exchange::plan plan(exchange::turn_time time);

    // For whoever looks on.
    const kernel::walked_steps& walked() const noexcept { return walked_; }
    bool closing() const noexcept { return view_.get().stage != exchange::close_stage::open; }
    bool stopped() const noexcept { return view_.get().stage == exchange::close_stage::stopped; }
    const std::optional<error>& fatal() const noexcept { return fatal_; }
    // What a broker answered, if that is why.
    std::optional<protocol::broker_error> fatal_answer() const noexcept { return fatal_cause_.answered(); }

private:
    struct waiting_close {
        boundary::operation_token token;
        base::instant deadline;
    };
    void enter(std::size_t step, exchange::turn_time time);
    void show(exchange::close_stage stage);
    void stop();

    kernel::versioned<exchange::lifecycle_view> view_;
    std::size_t step_ = 0;
    kernel::walked_steps walked_;
    base::instant deadline_ = base::never;
    std::vector<waiting_close> closes_;
    boundary::close_value left_;
    std::optional<error> fatal_;
    exchange::failure_cause fatal_cause_;
    exchange::outbox outbox_;
};

}  // namespace strandline::core::lifecycle
