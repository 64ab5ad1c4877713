#include "handoff/versioned_gate.hpp"

namespace strandline::handoff {

bool versioned_gate::try_register(waiter& who, std::uint64_t seen) noexcept {
    if (seen != version_) return false;
    who.previous = nullptr;
    who.next = first_;
    if (first_) first_->previous = &who;
    first_ = &who;
    who.registered = true;
    return true;
}

void versioned_gate::withdraw(waiter& who) noexcept {
    if (!who.registered) return;
    (who.previous ? who.previous->next : first_) = who.next;
    if (who.next) who.next->previous = who.previous;
    who.registered = false;
}

template <class Concerns>
void versioned_gate::resume_those(Concerns concerns) noexcept {
    ++version_;
    // A waiter that resumes may be gone at once: it is unlinked, and its successor known, before.
    for (auto* at = first_; at != nullptr;) {
        auto* const next = at->next;
        if (concerns(*at)) {
            withdraw(*at);
            at->resume(*at);
        }
        at = next;
    }
}

void versioned_gate::advance() noexcept {
    resume_those([](const waiter& who) { return who.only == nullptr; });
}

void versioned_gate::advance(const operation& ended) noexcept {
    resume_those([&](const waiter& who) { return who.only == nullptr || who.only == &ended; });
}

void versioned_gate::advance_all() noexcept {
    resume_those([](const waiter&) { return true; });
}

}  // namespace strandline::handoff
