// One operation or one callback in progress on a consumer: an element of the gate's stack.
#pragma once

#include <cstdint>
#include <string_view>
#include <thread>

#include "base/instant.hpp"

namespace strandline::access {

// Never used again; 0 is the root, where calls on the consumer itself come in.
using frame_id = std::uint64_t;
inline constexpr frame_id root_frame = 0;

// Who is inside, for the message to whoever is refused.
struct occupant {
    std::string_view operation;
    std::thread::id thread;
    base::instant since;
};

class place;

struct frame {
    enum class kind : std::uint8_t {
        operation,  // runs, or is parked in the callback above it
        callback,   // the application runs; calls through its access become operations above it, one at a time
    };
    frame_id id = root_frame;
    kind what = kind::operation;
    occupant who;
    bool draining = false;  // a callback that has returned: nobody comes in any more
    bool gone = false;      // given up by its owner; it goes with what runs above it
    place* awaits_top = nullptr;  // draining: who is to hear that nothing runs above it any more
};

}  // namespace strandline::access
