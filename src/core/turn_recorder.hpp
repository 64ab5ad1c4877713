// Notes what a turn is about while it happens, for the trace behind an explanation. Allocates nothing.
#pragma once

#include <cstdint>

#include "base/instant.hpp"
#include "core/boundary/turn_record.hpp"
#include "core/exchange/output.hpp"
#include "core/exchange/request.hpp"

namespace strandline::core {

struct turn_inputs;
struct turn_effects;

class turn_recorder {
public:
    void begin(const turn_inputs& inputs, base::instant now) noexcept;
    void arrived(const exchange::response& answer) noexcept;
    void answered(kernel::manager_index manager, const exchange::plan& answer) noexcept;
    void put_out(const exchange::output& what) noexcept;
    // What the turn comes to, once its effects are complete.
    const boundary::turn_record& end(const turn_effects& effects, std::uint64_t number) noexcept;

private:
    boundary::turn_record turn_;
};

}  // namespace strandline::core
