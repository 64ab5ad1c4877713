// A stack of its own that runs until it pauses, and goes on when it is resumed.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <functional>
#include <memory>
#include <ucontext.h>

namespace strandline::interleavings {

// Used again for one body after the other: making the stack is what costs. Everything happens on one thread.
class fiber {
public:
    fiber();
    ~fiber();
    fiber(const fiber&) = delete;
    fiber& operator=(const fiber&) = delete;

    // The next resume() begins it. The body before must have ended.
    void set_body(std::function<void()> body);
    // Returns when the body pauses or has ended.
    void resume();
    // Called by the body.
    void pause();
    bool has_ended() const noexcept { return ended_; }

private:
    static void enter(unsigned high, unsigned low);
    [[noreturn]] void run();

    std::function<void()> body_;
    std::unique_ptr<std::byte[]> stack_;
    ucontext_t first_;
    std::jmp_buf inside_;
    std::jmp_buf outside_;
    bool entered_ = false;
    bool ended_ = true;
    // What the address sanitizer wants to know of the two stacks.
    void* inside_fake_ = nullptr;
    void* outside_fake_ = nullptr;
    const void* outside_bottom_ = nullptr;
    std::size_t outside_size_ = 0;
};

}  // namespace strandline::interleavings
