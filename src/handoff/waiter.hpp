// Somebody who waits: a node in a list, and what to do when the wait is over.
#pragma once

namespace strandline::handoff {

class operation;

// Lives in the frame or the operation of who waits; registering it allocates nothing. `resume` is called once, with the
// lock of the gate held: it notes or posts that the wait is over and returns; it calls nothing of the application.
struct waiter {
    using resume_function = void (*)(waiter& self) noexcept;

    waiter(resume_function how, const operation* what) noexcept : resume(how), only(what) {}
    waiter(const waiter&) = delete;
    waiter& operator=(const waiter&) = delete;

    resume_function resume;
    // The end of this operation is all it waits for; null: anything that becomes visible.
    const operation* only;
    waiter* previous = nullptr;
    waiter* next = nullptr;
    bool registered = false;
};

}  // namespace strandline::handoff
