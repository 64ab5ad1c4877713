// Turns the reactor on the thread that runs the io_context: soon, at an instant, or because another thread asks.
#pragma once

#include <functional>
#include <memory>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "reactor/ports.hpp"

namespace strandline::asio {

class asio_scheduler final : public reactor::turn_scheduler {
public:
    explicit asio_scheduler(boost::asio::io_context& context) : context_(context), timer_(context) {}
    // Before anything else is called.
    void on_turn(std::function<void()> turn) { turn_ = std::move(turn); }

    void turn_soon() override;
    void turn_at(base::instant when) override;
    // Any thread. The caller makes sure that one such wake is outstanding at a time.
    void wake();
    // No turn comes after this.
    void shut() noexcept;

private:
    void turn();

    boost::asio::io_context& context_;
    boost::asio::steady_timer timer_;
    std::function<void()> turn_;
    base::instant armed_ = base::never;
    bool soon_ = false;
    bool shut_ = false;
};

}  // namespace strandline::asio
