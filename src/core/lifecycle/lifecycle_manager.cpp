#include "core/lifecycle/lifecycle_manager.hpp"

#include <algorithm>
#include <chrono>

#include "core/exchange/wait_reason.hpp"
#include "core/lifecycle/close_plan.hpp"

namespace strandline::core::lifecycle {

namespace {

using exchange::close_stage;

// Even a close without any time gives every stage one turn: a leave that only has to be written is written.
constexpr base::duration shortest_stage = std::chrono::milliseconds(2);

base::instant stage_deadline(const close_step& step, base::instant now, base::instant deadline) {
    if (deadline == base::never) return base::never;
    const auto left = std::max(deadline - now, base::duration::zero());
    return base::saturating_add(now, std::max(left / 100 * step.share_percent, shortest_stage));
}

}  // namespace

lifecycle_manager::lifecycle_manager(const exchange::manager_context& context)
    : view_(exchange::view::lifecycle, context.views) {}

void lifecycle_manager::on_command(const boundary::command::close& command, boundary::operation_token token,
                                   base::instant deadline, exchange::turn_time time) {
    if (stopped()) {
        outbox_.add(boundary::completion{token, boundary::operation_value(boundary::close_value{})});
        return;
    }
    closes_.push_back({token, deadline});
    if (closing()) {
        if (deadline < deadline_) {
            deadline_ = deadline;
            auto& shown = view_.change();
            shown.stage_deadline =
                std::min(shown.stage_deadline, stage_deadline(close_steps[step_], time.now, deadline));
        }
        return;
    }
    deadline_ = deadline;
    view_.change().leave = command.leave;
    enter(0, time);
}

void lifecycle_manager::on_cancel(boundary::operation_token token, exchange::turn_time) {
    std::erase_if(closes_, [&](const waiting_close& waiting) { return waiting.token == token; });
}

void lifecycle_manager::on_stage_finished(kernel::manager_index who, const exchange::stage_finished& report,
                                          exchange::turn_time time) {
    if (!closing() || stopped()) return;
    const auto& step = close_steps[step_];
    if (step.stage != report.stage || step.finished_by != who) return;
    // The later commit stage knows better what is still uncommitted.
    if (step.finished_by == exchange::manager::commit) left_.uncommitted = report.uncommitted;
    if (!report.undone.empty()) left_.undone.push_back(report.undone);
    enter(step_ + 1, time);
}

void lifecycle_manager::on_fact(const exchange::fatal_error& fact, exchange::turn_time) {
    if (fatal_) return;
    fatal_ = fact.reason;
    fatal_cause_ = fact.cause;
    outbox_.add(boundary::notice(boundary::error_raised{fact.reason}));
}

void lifecycle_manager::enter(std::size_t step, exchange::turn_time time) {
    step_ = step;
    if (step_ == close_steps.size()) {
        stop();
        return;
    }
    show(close_steps[step_].stage);
    view_.change().stage_deadline = stage_deadline(close_steps[step_], time.now, deadline_);
}

void lifecycle_manager::show(close_stage stage) {
    auto& shown = view_.change().stage;
    walked_.note(static_cast<std::size_t>(shown), static_cast<std::size_t>(stage));
    shown = stage;
}

void lifecycle_manager::stop() {
    show(close_stage::stopped);
    for (const auto& waiting : closes_) {
        outbox_.add(boundary::completion{waiting.token, boundary::operation_value(left_)});
    }
    closes_.clear();
}

void lifecycle_manager::on_time(exchange::turn_time time) {
    if (!closing() || stopped() || time.now < view_.get().stage_deadline) return;
    const auto& step = close_steps[step_];
    if (step.stage != close_stage::drain) left_.undone.push_back(std::string(step.what) + " did not end in time");
    enter(step_ + 1, time);
}

exchange::plan lifecycle_manager::plan(exchange::turn_time time) {
    using exchange::because;
    using exchange::wait_reason;
    if (auto ready = outbox_.take()) return std::move(*ready);
    kernel::await_set inputs(kernel::awaited::command());
    if (!closing() || stopped()) return exchange::plan::await(inputs, because(wait_reason::nothing_to_do));
    // A deadline that a second close moved to now ends its stage at the next instant.
    const auto due = kernel::future_instant::after(time.now, view_.get().stage_deadline);
    inputs.add(kernel::awaited::timer(due.value_or(kernel::future_instant::in(time.now, {}))));
    return exchange::plan::await(inputs, because(wait_reason::closing, step_));
}

}  // namespace strandline::core::lifecycle
