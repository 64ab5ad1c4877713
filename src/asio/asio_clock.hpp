// The system's clocks, for the reactor's clock port.
#pragma once

#include <chrono>

#include "reactor/clock.hpp"

namespace strandline::asio {

class asio_clock final : public reactor::clock {
public:
    base::instant now() const override { return at(std::chrono::steady_clock::now()); }
    base::wall_time wall() const override {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    }
    // The two are the same instants under two types: the core's has no now().
    static base::instant at(std::chrono::steady_clock::time_point when) noexcept {
        return base::instant(std::chrono::duration_cast<base::duration>(when.time_since_epoch()));
    }
    static std::chrono::steady_clock::time_point steady(base::instant when) noexcept {
        return std::chrono::steady_clock::time_point(
            std::chrono::duration_cast<std::chrono::steady_clock::duration>(when.time_since_epoch()));
    }
};

}  // namespace strandline::asio
