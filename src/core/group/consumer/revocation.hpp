// One revocation on its way: fence, commit, listener, commit what the listener added. Then the partitions may be given
// up.
#pragma once

#include <cstdint>
#include <vector>

#include "core/boundary/identity.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/group/consumer/callback_ledger.hpp"

namespace strandline::core::group::consumer {

struct revocation_terms {
    // Goes on without the application and without answers from then on.
    base::instant ends;
    bool has_listener = false;
    // The application itself asks for it in a call: its checkpoint is complete, and it would wait for itself.
    bool asked_by_application = false;
};

class revocation {
public:
    enum class step : std::uint8_t {
        fencing,          // until nothing of the partitions is handed out any more
        committing,       // until the commit of what was processed is answered
        calling_back,     // until the listener has returned
        committing_more,  // until the commit of what the listener added is answered
        finished,
    };

    // `leaving` in order. `to_call_back`: those that the listener has not been called for yet.
    revocation(std::vector<boundary::partition_ref> leaving, partitions to_call_back, revocation_terms terms);

    // The rest is to be called in this order: begin once, then any.
    void begin(const exchange::manager_context& context);
    void on_fences_met(std::uint64_t ticket, const exchange::manager_context& context);
    // True: the listener is wanted now, for to_call_back().
    bool on_committed(std::uint64_t ticket);
    void on_callbacks_answered(const exchange::manager_context& context);
    void on_time(base::instant now);

    step at() const noexcept { return step_; }
    bool finished() const noexcept { return step_ == step::finished; }
    base::instant ends() const noexcept { return terms_.ends; }
    const std::vector<boundary::partition_ref>& leaving() const noexcept { return leaving_; }
    const partitions& to_call_back() const noexcept { return to_call_back_; }

private:
    void commit(step next, const exchange::manager_context& context);

    std::vector<boundary::partition_ref> leaving_;
    partitions to_call_back_;
    revocation_terms terms_;
    step step_ = step::fencing;
    std::uint64_t ticket_ = 0;  // of what is awaited: the fence, or a commit
};

}  // namespace strandline::core::group::consumer
