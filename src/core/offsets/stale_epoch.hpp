// The member epoch that the coordinator has called stale, if it has.
#pragma once

#include "base/instant.hpp"
#include "core/exchange/group_view.hpp"
#include "core/kernel/view.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::offsets {

// Asking again with it would only be refused again, so a newer one is awaited. If none has come when a request would
// have expired, there is none: heartbeats would have told it, and this one is tried once more.
class stale_epoch {
public:
    void on_refused(protocol::member_epoch with, base::instant now, base::duration request_timeout) noexcept {
        epoch_ = with;
        until_ = base::saturating_add(now, request_timeout);
    }
    bool holds_back(const kernel::view<exchange::member_view>& member, base::instant now) const {
        return epoch_.value() >= 0 && member->in_group && member->epoch <= epoch_ && now < until_;
    }
    base::instant until() const noexcept { return until_; }

private:
    protocol::member_epoch epoch_{-1};
    base::instant until_{};
};

}  // namespace strandline::core::offsets
