// Which callback this stack is inside of, so that code that knows nothing of access may call the consumer plainly.
#pragma once

#include "access/frame.hpp"

namespace strandline::access {

// Stands on the stack of the thread that runs the callback. Threads and tasks started from it inherit nothing.
class ambient_frame {
public:
    ambient_frame(const void* gate, frame_id frame) noexcept;
    ~ambient_frame();
    ambient_frame(const ambient_frame&) = delete;
    ambient_frame& operator=(const ambient_frame&) = delete;

    // The innermost callback of this gate on this stack; root_frame if there is none.
    static frame_id of(const void* gate) noexcept;

private:
    const void* gate_;
    frame_id frame_;
    const ambient_frame* below_;
};

}  // namespace strandline::access
