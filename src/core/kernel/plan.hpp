// The answer of a manager to "what comes next?": outputs, or what it waits for, which may be a time. Another one,
// nothing and ask again at once, cannot be built.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/kernel/await_set.hpp"

namespace strandline::core::kernel {

// Why a manager waits, as ids that are put into words on the reader's thread. The codes belong to the kind of consumer.
struct reason {
    std::uint16_t code = 0;
    std::uint64_t subject = 0;
    friend bool operator==(reason, reason) = default;
};

template <class Output>
class plan {
public:
    // There is something to do now; the manager is asked again afterwards, in the same turn.
    static plan progress(Output output) {
        plan made;
        made.outputs_.push_back(std::move(output));
        return made;
    }
    plan&& also(Output output) && {
        outputs_.push_back(std::move(output));
        return std::move(*this);
    }
    // Nothing can be done before one of `inputs` arrives.
    static plan await(await_set inputs, reason why) {
        plan made;
        made.wait_.emplace(inputs);
        made.why_ = why;
        return made;
    }

    bool is_progress() const noexcept { return !wait_.has_value(); }
    std::vector<Output> take_outputs() && { return std::move(outputs_); }
    const std::vector<Output>& outputs() const noexcept { return outputs_; }
    Output& newest() noexcept { return outputs_.back(); }
    // Only of an answer that waits.
    const await_set& wait() const noexcept { return *wait_; }
    reason why() const noexcept { return why_; }

private:
    plan() = default;

    std::vector<Output> outputs_;
    std::optional<await_set> wait_;
    reason why_;
};

// Outputs gathered one by one; turns into progress only if there are any.
template <class Output>
class outputs {
public:
    void add(Output output) {
        if (made_) {
            // In place: assigned to itself it would be empty.
            static_cast<void>(std::move(*made_).also(std::move(output)));
        } else {
            made_ = plan<Output>::progress(std::move(output));
        }
    }
    bool empty() const noexcept { return !made_.has_value(); }
    // What was added last, for whoever has more of it; null if there is nothing.
    Output* newest() noexcept { return made_ ? &made_->newest() : nullptr; }
    // The progress gathered, if any.
    std::optional<plan<Output>> take() { return std::exchange(made_, std::nullopt); }

private:
    std::optional<plan<Output>> made_;
};

}  // namespace strandline::core::kernel
