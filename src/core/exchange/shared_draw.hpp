// One draw for all that fails at one instant, so that what failed together is tried again together: with a jitter of
// its own, each of many partitions would cost a wake-up and a request.
#pragma once

#include <cstdint>
#include <utility>

#include "base/instant.hpp"
#include "base/random_source.hpp"

namespace strandline::core::exchange {

class shared_draw final : public base::random_source {
public:
    explicit shared_draw(base::random_source& source) noexcept : source_(source) {}

    base::random_source& at(base::instant now) {
        if (std::exchange(drawn_at_, now) != now) number_ = source_.next();
        return *this;
    }

private:
    std::uint64_t next() override { return number_; }

    base::random_source& source_;
    base::instant drawn_at_ = base::instant::min();
    std::uint64_t number_ = 0;
};

}  // namespace strandline::core::exchange
