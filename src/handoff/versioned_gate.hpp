// The one way a wait of the application ends: whatever it waits for, a version moves and the registered waiters resume.
#pragma once

#include <cstdint>

#include "handoff/waiter.hpp"

namespace strandline::handoff {

// Data, an error, a wanted callback, an assignment change, the completion of a call: each is put in its place first,
// then the version moves. A waiter is registered only for the version whose state it has looked at, under the lock that
// guards both; so nothing can slip in between. Plain data: its owner's lock guards it.
class versioned_gate {
public:
    std::uint64_t version() const noexcept { return version_; }

    // False: something came since `seen`; look again instead of waiting.
    bool try_register(waiter& who, std::uint64_t seen) noexcept;
    // The wait ended for another reason, its deadline. No effect on who has resumed already.
    void withdraw(waiter& who) noexcept;

    // Something became visible; who waits for a particular operation is left alone.
    void advance() noexcept;
    // This operation ended; who waits for anything looks as well.
    void advance(const operation& ended) noexcept;
    void advance_all() noexcept;

private:
    template <class Concerns>
    void resume_those(Concerns concerns) noexcept;

    std::uint64_t version_ = 1;
    waiter* first_ = nullptr;
};

}  // namespace strandline::handoff
