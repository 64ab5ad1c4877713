// Somebody's place at the gate: before it, on the way in, or at the end of a callback that still has a call inside.
#pragma once

#include <cstdint>
#include <string_view>

#include "access/frame.hpp"

namespace strandline::access {

// Lives with the call it is for; waiting allocates nothing. Guarded by the gate's lock; destroyed only when it has left
// the gate.
class place {
public:
    // Called once, with the gate's lock held: notes or posts that the wait is over and returns; calls nothing of the
    // application.
    using resume_function = void (*)(void* whom) noexcept;

    // To come in, through `frame`: root_frame, or that of a callback.
    place(frame_id frame, std::string_view operation) noexcept : through_(frame), who_{operation, {}, {}} {}
    // To await the end of a callback of its own.
    place() noexcept = default;
    place(const place&) = delete;
    place& operator=(const place&) = delete;

private:
    template <class Primitives>
    friend class basic_gate;

    enum class state : std::uint8_t {
        outside,  // has not asked
        waiting,  // its turn has not come
        admitted,  // inside, as `own_`
        expired,  // the callback it would come in through has ended
        over,  // nothing is left to wait for
    };

    void settle(state how) noexcept {
        is_ = how;
        if (resume_) resume_(whom_);
        resume_ = nullptr;
    }

    frame_id through_ = root_frame;
    occupant who_;
    state is_ = state::outside;
    frame_id own_ = root_frame;
    resume_function resume_ = nullptr;
    void* whom_ = nullptr;
};

}  // namespace strandline::access
