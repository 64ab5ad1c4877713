// The system's generator, for the reactor's random port: member ids and jitter nobody can guess.
#pragma once

#include <random>

#include "base/random_source.hpp"

namespace strandline::asio {

class system_random final : public base::random_source {
public:
    std::uint64_t next() override {
        const std::uint64_t high = device_();
        const std::uint64_t low = device_();
        return (high << 32U) | (low & 0xffffffffU);
    }

private:
    std::random_device device_;
};

}  // namespace strandline::asio
