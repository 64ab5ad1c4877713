#include "client/operations/close.hpp"

#include <utility>

#include "client/operations/looking.hpp"

namespace strandline::client {

step close_call::proceed() {
    if (in_callback()) {
        request_close(state());
        close_report report;
        report.requested_only = true;
        return end(std::move(report));
    }
    if (!closing_) closing_.emplace(state(), callbacks(), waits(), deadline(), membership_);
    if (const auto next = closing_->advance(); next != step::ended) return next;
    return end(closing_->take_report());
}

// Closing again does nothing.
step close_call::fail(error why) {
    if (why == errc::consumer_closed) return end(close_report());
    return call_of::fail(std::move(why));
}

}  // namespace strandline::client
