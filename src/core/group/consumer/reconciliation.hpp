// Brings what this member owns to what the group wants it to own: one revocation at a time, the newest target wins.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "core/exchange/broker_reach.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/group/consumer/assignment.hpp"
#include "core/group/consumer/callback_ledger.hpp"
#include "core/group/consumer/revocation.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::group::consumer {

// A part of the membership manager. What it does not say otherwise emits facts and belongs to Apply.
class reconciliation {
public:
    reconciliation(const exchange::manager_context& context, kernel::view<exchange::cluster_view> cluster,
                   exchange::outbox& out);

    // ---- what owns what
    const owned_partitions& owned() const noexcept { return owned_; }
    std::uint64_t owned_version() const noexcept { return owned_version_; }
    bool revoking() const noexcept { return revocation_.has_value(); }
    // Topics of the target that have no name yet; they wait for the metadata.
    const std::vector<protocol::topic_id>& unnamed() const noexcept { return unnamed_; }
    std::uint64_t unnamed_version() const noexcept { return unnamed_version_; }
    // Callbacks that give up partitions and are not answered.
    bool listener_gives_up() const noexcept { return callbacks_.open_giving_up().has_value(); }
    bool listener_hears_of_loss() const noexcept { return callbacks_.open(callback_ledger::kind::lost); }
    void explain(exchange::pending_wait& wait, base::instant now) const;
    void explain_listener(exchange::pending_wait& wait) const;

    // ---- inputs
    void set_listener(bool has_listener) noexcept { has_listener_ = has_listener; }
    void take_target(assignment_by_id target);
    // The first assignment is there, and has nothing in it: the listener hears of that too.
    void tell_of_nothing();
    void on_names_changed() noexcept { unreconciled_ = unreconciled_ || !unnamed_.empty(); }
    void on_fences_met(std::uint64_t ticket);
    void on_committed(std::uint64_t ticket);
    // Callbacks observe: whether one threw changes nothing here, and whoever ran it has reported that.
    void on_callback_answered(boundary::callback_id id);
    // After any input that is no fact: goes as far as it can.
    void advance(base::instant now);

    // ---- giving up everything
    // In the order of a revocation, asked for by the application. Done when nothing is owned and revoking() is false.
    void release(base::instant ends);
    // At once: another assignment takes its place in this turn, and no listener hears of it. revoking() tells whether
    // the commit is still under way.
    void release_at_once(base::instant ends);
    // The group does not count on us any more.
    void lose_all();

    // ---- close, whose stages order what a revocation would
    // Nothing is handed out any more; no target is followed.
    void stop();
    // Plan: calls the listener for what it has not given up yet.
    void call_listener_to_stop();
    void give_up_stopped();

private:
    void forget_target();
    void revoke(std::vector<boundary::partition_ref> leaving, revocation_terms terms);
    void add(std::vector<boundary::partition_ref> added);
    void remove(const std::vector<boundary::partition_ref>& which, bool lost);
    std::vector<boundary::partition_ref> everything() const;
    // Of `which`, what no revoked-callback was asked for.
    partitions not_called_back(const partitions& which) const;
    void ask_revoked(const partitions& which);

    exchange::manager_context context_;
    kernel::view<exchange::cluster_view> cluster_;
    exchange::outbox* out_;
    bool has_listener_ = false;
    bool stopped_ = false;

    std::optional<assignment_by_id> target_;
    bool unreconciled_ = false;  // target, names or what is owned changed since it was last compared
    std::vector<protocol::topic_id> unnamed_;
    std::uint64_t unnamed_version_ = 1;
    owned_partitions owned_;
    std::uint64_t owned_version_ = 1;
    std::optional<revocation> revocation_;
    callback_ledger callbacks_;
    std::set<topic_partition> called_back_;  // owned still, but the listener was asked to give them up
};

}  // namespace strandline::core::group::consumer
