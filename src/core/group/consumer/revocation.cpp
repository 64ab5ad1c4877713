#include "core/group/consumer/revocation.hpp"

#include <utility>

#include "core/group/consumer/assignment.hpp"

namespace strandline::core::group::consumer {

revocation::revocation(std::vector<boundary::partition_ref> leaving, partitions to_call_back, revocation_terms terms)
    : leaving_(std::move(leaving)), to_call_back_(std::move(to_call_back)), terms_(terms) {}

void revocation::begin(const exchange::manager_context& context) {
    if (!terms_.asked_by_application) ticket_ = context.ids.next();
    context.facts.emit(exchange::fence_wanted{names_of(leaving_), ticket_});
    if (terms_.asked_by_application) commit(step::committing, context);
}

void revocation::on_fences_met(std::uint64_t ticket, const exchange::manager_context& context) {
    if (step_ == step::fencing && ticket == ticket_) commit(step::committing, context);
}

void revocation::commit(step next, const exchange::manager_context& context) {
    step_ = next;
    ticket_ = context.ids.next();
    context.facts.emit(exchange::revocation_commit_wanted{ticket_, names_of(leaving_), terms_.ends});
}

bool revocation::on_committed(std::uint64_t ticket) {
    if (ticket != ticket_) return false;
    if (step_ == step::committing_more) step_ = step::finished;
    if (step_ != step::committing) return false;
    step_ = terms_.has_listener ? step::calling_back : step::finished;
    return step_ == step::calling_back;
}

void revocation::on_callbacks_answered(const exchange::manager_context& context) {
    // The listener may have committed by itself, or moved on in what it held back.
    if (step_ == step::calling_back) commit(step::committing_more, context);
}

void revocation::on_time(base::instant now) {
    if (now >= terms_.ends) step_ = step::finished;
}

}  // namespace strandline::core::group::consumer
