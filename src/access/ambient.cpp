#include "access/ambient.hpp"

namespace strandline::access {

namespace {
thread_local const ambient_frame* innermost = nullptr;
}

ambient_frame::ambient_frame(const void* gate, frame_id frame) noexcept
    : gate_(gate), frame_(frame), below_(innermost) {
    innermost = this;
}

ambient_frame::~ambient_frame() { innermost = below_; }

frame_id ambient_frame::of(const void* gate) noexcept {
    for (const auto* at = innermost; at != nullptr; at = at->below_) {
        if (at->gate_ == gate) return at->frame_;
    }
    return root_frame;
}

}  // namespace strandline::access
