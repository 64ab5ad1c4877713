#include "core/group/consumer/reconciliation.hpp"

#include <memory>
#include <utility>

namespace strandline::core::group::consumer {

using exchange::wait_reason;
using kind = callback_ledger::kind;

reconciliation::reconciliation(const exchange::manager_context& context, kernel::view<exchange::cluster_view> cluster,
                               exchange::outbox& out)
    : context_(context), cluster_(cluster), out_(&out) {}

void reconciliation::take_target(assignment_by_id target) {
    target_ = std::move(target);
    unreconciled_ = true;
}

void reconciliation::tell_of_nothing() {
    if (!has_listener_ || stopped_) return;
    const boundary::callback_id id(context_.ids.next());
    out_->add(boundary::notice(callbacks_.ask(id, kind::assigned, {})));
}

void reconciliation::on_fences_met(std::uint64_t ticket) {
    if (revocation_) revocation_->on_fences_met(ticket, context_);
}

void reconciliation::on_committed(std::uint64_t ticket) {
    if (revocation_ && revocation_->on_committed(ticket)) ask_revoked(revocation_->to_call_back());
}

void reconciliation::on_callback_answered(boundary::callback_id id) {
    const auto callback = callbacks_.answer(id);
    if (!callback) return;
    if (callback->what == kind::assigned) {
        if (!callback->which.empty()) context_.facts.emit(exchange::callback_acknowledged{callback->which});
    } else if (revocation_ && !callbacks_.open(kind::revoked)) {
        revocation_->on_callbacks_answered(context_);
    }
}

void reconciliation::advance(base::instant now) {
    if (revocation_) {
        // All of them may have been called before, and have answered.
        if (!callbacks_.open(kind::revoked)) revocation_->on_callbacks_answered(context_);
        revocation_->on_time(now);
        if (!revocation_->finished()) return;
        const auto done = std::exchange(revocation_, std::nullopt);
        remove(done->leaving(), false);
    }
    if (stopped_ || !target_ || !unreconciled_) return;
    unreconciled_ = false;
    auto change = difference(owned_, *target_, cluster_.read());
    if (unnamed_ != change.unnamed) {
        unnamed_ = std::move(change.unnamed);
        ++unnamed_version_;
    }
    if (!change.leaving.empty()) {
        const auto ends = base::saturating_add(now, context_.config.max_poll_interval);
        revoke(std::move(change.leaving), {.ends = ends, .has_listener = has_listener_});
    } else if (!change.added.empty()) {
        add(std::move(change.added));
    }
}

void reconciliation::forget_target() {
    target_.reset();
    unnamed_.clear();
    ++unnamed_version_;
    revocation_.reset();
}

void reconciliation::revoke(std::vector<boundary::partition_ref> leaving, revocation_terms terms) {
    auto to_call_back = not_called_back(names_of(leaving));
    revocation_.emplace(std::move(leaving), std::move(to_call_back), terms).begin(context_);
}

void reconciliation::add(std::vector<boundary::partition_ref> added) {
    partitions names;
    if (has_listener_) names = names_of(added);
    for (const auto& partition : added) owned_.add(partition);
    ++owned_version_;
    exchange::assignment_changed change;
    change.added = std::move(added);
    change.callback_pending = has_listener_;
    context_.facts.emit(std::move(change));
    if (!has_listener_) return;
    const boundary::callback_id id(context_.ids.next());
    out_->add(boundary::notice(callbacks_.ask(id, kind::assigned, std::move(names))));
}

void reconciliation::remove(const std::vector<boundary::partition_ref>& which, bool lost) {
    std::vector<boundary::partition_ref> gone;
    for (const auto& partition : which) {
        if (!owned_.contains(partition)) continue;
        owned_.remove(partition);
        called_back_.erase(partition->name);
        gone.push_back(partition);
    }
    if (gone.empty()) return;
    ++owned_version_;
    unreconciled_ = true;
    const auto names = names_of(gone);
    callbacks_.give_up(names);
    context_.facts.emit(exchange::partitions_gone{std::move(gone), lost});
    exchange::assignment_changed change;
    change.removed = names;
    change.lost = lost;
    context_.facts.emit(std::move(change));
}

void reconciliation::release(base::instant ends) {
    forget_target();
    if (!owned_.empty()) revoke(everything(), {ends, has_listener_, true});
}

void reconciliation::release_at_once(base::instant ends) {
    forget_target();
    if (owned_.empty()) return;
    // The listener went with its subscription.
    revoke(everything(), {.ends = ends, .has_listener = false, .asked_by_application = true});
    remove(revocation_->leaving(), false);
}

void reconciliation::lose_all() {
    forget_target();
    auto unheard = not_called_back(names_of(owned_));
    remove(everything(), true);
    if (!has_listener_) return;
    const boundary::callback_id id(context_.ids.next());
    if (auto notice = callbacks_.ask_lost(id, std::move(unheard))) out_->add(boundary::notice(std::move(*notice)));
}

void reconciliation::stop() {
    if (std::exchange(stopped_, true)) return;
    revocation_.reset();
    if (!owned_.empty()) context_.facts.emit(exchange::fence_wanted{names_of(owned_)});
}

void reconciliation::call_listener_to_stop() {
    if (has_listener_) ask_revoked(not_called_back(names_of(owned_)));
}

void reconciliation::give_up_stopped() { remove(everything(), false); }

std::vector<boundary::partition_ref> reconciliation::everything() const { return {owned_.begin(), owned_.end()}; }

partitions reconciliation::not_called_back(const partitions& which) const {
    partitions rest;
    for (const auto& name : which) {
        if (!called_back_.contains(name)) rest.push_back(name);
    }
    return rest;
}

void reconciliation::ask_revoked(const partitions& which) {
    if (which.empty()) return;
    called_back_.insert(which.begin(), which.end());
    const boundary::callback_id id(context_.ids.next());
    out_->add(boundary::notice(callbacks_.ask(id, kind::revoked, which)));
}

void reconciliation::explain_listener(exchange::pending_wait& wait) const {
    const auto id = callbacks_.open_giving_up();
    if (!id) return;
    wait.inputs.add(kernel::awaited::acknowledgement(id->value()));
    wait.because_of(wait_reason::listener, id->value());
}

void reconciliation::explain(exchange::pending_wait& wait, base::instant now) const {
    if (revocation_) {
        wait.until(now, revocation_->ends());
        switch (revocation_->at()) {
            case revocation::step::fencing: wait.because_of(wait_reason::fences_of_revocation); break;
            case revocation::step::calling_back: explain_listener(wait); break;
            case revocation::step::committing:
            case revocation::step::committing_more:
            case revocation::step::finished: wait.because_of(wait_reason::commit_of_revocation); break;
        }
    } else if (!unnamed_.empty()) {
        wait.because_of(wait_reason::topic_names);
    }
}

}  // namespace strandline::core::group::consumer
