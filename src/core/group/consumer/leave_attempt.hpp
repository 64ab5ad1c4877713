// The last heartbeat of a membership: sent once, as soon as the coordinator can be reached; not sent when it cannot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/exchange/broker_reach.hpp"
#include "core/exchange/group_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/group/consumer/heartbeat_composer.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::group::consumer {

// A part of the membership manager. Everything here belongs to Plan, the answer aside.
class leave_attempt {
public:
    // Over at `deadline` at the latest; a coordinator that is ready then is still told.
    leave_attempt(heartbeat_composer::request goodbye, base::instant deadline);

    void bring_forward(base::instant deadline) noexcept;
    // True: it was the answer; the attempt is over.
    bool on_response(const exchange::response& response);
    void plan(const exchange::manager_context& context, kernel::view<exchange::coordinator_view> coordinator,
              exchange::broker_reach& reach, exchange::outbox& out, exchange::pending_wait& wait, base::instant now);

    bool over() const noexcept { return over_; }
    // It is written once: from then on nobody has to be found for it.
    bool is_sent() const noexcept { return sent_.has_value(); }
    // In words, once it is over; empty: the group has let the member go.
    const std::string& undone() const noexcept { return undone_; }
    // What was answered could not be read.
    bool is_answer_unreadable() const noexcept { return is_answer_unreadable_; }

private:
    void plan_unsent(const exchange::manager_context& context, const exchange::coordinator_view& coordinator,
                     exchange::broker_reach& reach, exchange::outbox& out, exchange::pending_wait& wait,
                     base::instant now);
    void end(std::string why);

    heartbeat_composer::request goodbye_;
    base::instant deadline_;
    std::optional<exchange::request_id> sent_;
    base::instant expires_at_ = base::never;
    bool over_ = false;
    bool is_answer_unreadable_ = false;
    std::string undone_;
};

}  // namespace strandline::core::group::consumer
