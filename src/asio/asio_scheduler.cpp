#include "asio/asio_scheduler.hpp"

#include <boost/asio/post.hpp>

#include "asio/asio_clock.hpp"

namespace strandline::asio {

void asio_scheduler::turn_soon() {
    if (soon_ || shut_) return;
    soon_ = true;
    boost::asio::post(context_, [this] {
        if (soon_) turn();
    });
}

void asio_scheduler::turn_at(base::instant when) {
    if (shut_ || when == armed_) return;
    armed_ = when;
    if (when == base::never) {
        timer_.cancel();
        return;
    }
    timer_.expires_at(asio_clock::steady(when));
    timer_.async_wait([this](const boost::system::error_code& failure) {
        if (failure || shut_) return;
        armed_ = base::never;
        turn();
    });
}

void asio_scheduler::wake() {
    // Through turn_soon, so that whatever else is ready belongs to the same turn.
    boost::asio::post(context_, [this] { turn_soon(); });
}

void asio_scheduler::turn() {
    if (shut_) return;
    soon_ = false;
    turn_();
}

void asio_scheduler::shut() noexcept {
    shut_ = true;
    timer_.cancel();
}

}  // namespace strandline::asio
