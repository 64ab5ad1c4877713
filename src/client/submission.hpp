// One command on its way through the reactor, and its outcome.
#pragma once

#include <optional>
#include <utility>

#include <strandline/error.hpp>

#include "core/boundary/command.hpp"
#include "core/boundary/completion.hpp"
#include "handoff/handoff.hpp"

namespace strandline::client {

// Its destruction gives up what has not ended; the reactor hears of it.
class submission {
public:
    submission(handoff::handoff& meeting, base::instant deadline) noexcept : meeting_(meeting), operation_(deadline) {}
    ~submission() { static_cast<void>(is_under_way() && meeting_.forget(operation_)); }
    submission(const submission&) = delete;
    submission& operator=(const submission&) = delete;

    void submit(core::boundary::any_command what) {
        submitted_ = true;
        meeting_.submit(operation_, std::move(what));
    }
    bool is_under_way() const noexcept { return submitted_ && !taken_; }
    bool has_ended() const { return meeting_.has_ended(operation_); }
    const handoff::operation& operation() const noexcept { return operation_; }
    // False: it has ended meanwhile.
    bool give_up() {
        taken_ = meeting_.forget(operation_);
        return taken_;
    }
    result<core::boundary::operation_value> take_outcome() {
        taken_ = true;
        return operation_.take_outcome();
    }

private:
    handoff::handoff& meeting_;
    handoff::operation operation_;
    bool submitted_ = false;
    bool taken_ = false;
};

}  // namespace strandline::client
