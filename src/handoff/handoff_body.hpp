// The bodies of basic_handoff, for whoever instantiates it: handoff.cpp, and tests with a scheduler of their own.
#pragma once

#include <algorithm>
#include <utility>
#include <variant>

#include "core/boundary/asynchronous_commits.hpp"
#include "handoff/handoff.hpp"
#include "handoff/initial_snapshot.hpp"

namespace strandline::handoff {

template <class Primitives>
class basic_handoff<Primitives>::parked_thread : public waiter {
public:
    parked_thread(basic_handoff& where, const operation* what) noexcept
        : waiter(&parked_thread::on_resume, what), where_(where) {}

    // False: the deadline.
    bool wait(guard& held, base::instant deadline) {
        while (!resumed_) {
            if (Primitives::now() >= deadline) return false;
            where_.threads_.wait_until(held, deadline);
        }
        return true;
    }

private:
    static void on_resume(waiter& self) noexcept {
        auto& parked = static_cast<parked_thread&>(self);
        parked.resumed_ = true;
        parked.where_.threads_resumed_ = true;
    }

    basic_handoff& where_;
    bool resumed_ = false;
};

// Holds the outbox while waiters may resume. Threads among them are notified when it is free again: one that is
// notified before runs only to wait for it. By then its frame may be gone, so the condition is not its own.
template <class Primitives>
class basic_handoff<Primitives>::resuming_guard {
public:
    explicit resuming_guard(basic_handoff& where) : where_(where), outbox_(where.outbox_mutex_) {}
    resuming_guard(const resuming_guard&) = delete;
    resuming_guard& operator=(const resuming_guard&) = delete;
    ~resuming_guard() {
        const bool resumed = std::exchange(where_.threads_resumed_, false);
        outbox_.unlock();
        if (resumed) where_.threads_.notify_all();
    }

private:
    basic_handoff& where_;
    guard outbox_;
};

template <class Primitives>
basic_handoff<Primitives>::basic_handoff()
    : line_(std::make_shared<wake_line<Primitives>>()),
      gauge_(std::make_shared<memory_gauge<Primitives>>(line_)),
      snapshot_(initial_snapshot()) {}

template <class Primitives>
basic_handoff<Primitives>::~basic_handoff() {
    line_->connect(nullptr);
}

// --- The reactor's side

template <class Primitives>
void basic_handoff<Primitives>::set_reactor_waker(reactor_waker* waker) {
    line_->connect(waker);
    if (inbox_.turn_is_asked_for()) line_->signal();
}

template <class Primitives>
void basic_handoff<Primitives>::collect(reactor_inputs& into) {
    inbox_.collect(into, *gauge_);
    bytes_collected_ = into.bytes_in_use;
    gauge_->on_turn(into.bytes_in_use);
}

template <class Primitives>
void basic_handoff<Primitives>::publish(core::boundary::snapshot_ref decision, core::boundary::awaited_space awaited) {
    using core::boundary::awaited_space;
    const typename inbox<Primitives>::wishes wished{decision->checkpoint_wanted, decision->progress_wanted,
                                                    awaited != awaited_space::none};
    {
        const guard held(snapshot_mutex_);
        if (decision->turn.number > 0) trace_.add(decision->turn);
        std::swap(snapshot_, decision);
    }
    // The former snapshot, if this was its last reference, is freed here, outside the lock.
    decision.reset();
    if (inbox_.wish_for(wished)) line_->signal();
    gauge_->await_space(awaited == awaited_space::memory, bytes_collected_);
}

template <class Primitives>
void basic_handoff<Primitives>::update(const core::boundary::slot_update& change) {
    bool signal = false;
    {
        const guard outbox(outbox_mutex_);
        const auto made = table_.update(change);
        std::vector<core::boundary::buffer_drained> drained;
        fetches_.drop_stale(change.slot, table_, drained);
        std::vector<core::boundary::fence_acknowledged> met;
        if (made.fence_is_met) met.push_back({change.slot, change.era});
        if (made.opened) bring_back(change.slot);
        news_ = news_ || made.fence_waits;
        signal = inbox_.hand_back(met, drained);
    }
    if (signal) line_->signal();
}

template <class Primitives>
void basic_handoff<Primitives>::bring_back(core::boundary::slot_id slot) {
    fetches_.bring_back(slot);
    news_ = true;
}

template <class Primitives>
void basic_handoff<Primitives>::deliver(core::boundary::completed_fetch data) {
    const guard outbox(outbox_mutex_);
    table_.on_delivered(data.slot, data.era, data.from_offset);
    // What may not be handed out yet is news when its slot opens.
    news_ = news_ || table_.judge(data.slot, data.era) != verdict::keep_back;
    fetches_.push(std::move(data));
}

template <class Primitives>
void basic_handoff<Primitives>::recall(const core::boundary::buffer_recall& wanted) {
    bool signal = false;
    {
        const guard outbox(outbox_mutex_);
        if (table_.judge(wanted.slot, wanted.era) != verdict::keep_back) return;
        std::vector<core::boundary::buffer_drained> drained;
        if (const auto given = fetches_.give_back(wanted.slot, wanted.era)) drained.push_back(*given);
        signal = inbox_.hand_back({}, drained);
    }
    if (signal) line_->signal();
}

template <class Primitives>
void basic_handoff<Primitives>::notify(core::boundary::notice what) {
    const guard outbox(outbox_mutex_);
    if (auto* wanted = std::get_if<core::boundary::callback_wanted>(&what)) take_place_of_earlier(*wanted);
    notices_.push_back(std::move(what));
    news_ = true;
}

// What has not been handed out has not begun: the application hears of a loss instead of a revocation.
template <class Primitives>
void basic_handoff<Primitives>::take_place_of_earlier(core::boundary::callback_wanted& wanted) {
    if (!wanted.supersedes) return;
    const auto earlier = std::find_if(notices_.begin(), notices_.end(), [&](const core::boundary::notice& one) {
        const auto* callback = std::get_if<core::boundary::callback_wanted>(&one);
        return callback != nullptr && callback->id == *wanted.supersedes;
    });
    if (earlier == notices_.end()) return;
    const auto& which = std::get<core::boundary::callback_wanted>(*earlier).which;
    wanted.which.insert(wanted.which.end(), which.begin(), which.end());
    std::sort(wanted.which.begin(), wanted.which.end());
    notices_.erase(earlier);
}

template <class Primitives>
void basic_handoff<Primitives>::complete(core::boundary::completion finished) {
    const resuming_guard outbox(*this);
    for (const auto slot : table_.open_gates(finished.token)) bring_back(slot);
    end(operations_.take(finished.token), std::move(finished.outcome));
}

template <class Primitives>
void basic_handoff<Primitives>::end(operation_table::entry entry, result<core::boundary::operation_value> outcome) {
    if (!entry.call) return;
    entry.call->outcome_.emplace(std::move(outcome));
    if (entry.owned) {
        ended_.push_back(std::move(entry.owned));
        news_ = true;
    } else {
        visible_.advance(*entry.call);
    }
}

template <class Primitives>
void basic_handoff<Primitives>::wake_application() {
    const resuming_guard outbox(*this);
    if (std::exchange(news_, false)) visible_.advance();
}

template <class Primitives>
void basic_handoff<Primitives>::fail_all(error reason) {
    fetch_queue unwanted;  // nobody will be handed it any more; freed outside the lock
    const resuming_guard outbox(*this);
    fetches_.swap(unwanted);
    if (!failure_) failure_ = std::move(reason);
    operations_.take_all([&](operation_table::entry entry) { end(std::move(entry), tl::unexpected(*failure_)); });
    news_ = false;
    visible_.advance_all();
}

template <class Primitives>
std::shared_ptr<base::memory_account> basic_handoff<Primitives>::memory() const {
    return gauge_;
}

// --- The application's side

template <class Primitives>
core::boundary::snapshot_ref basic_handoff<Primitives>::snapshot() const {
    const guard held(snapshot_mutex_);
    return snapshot_;
}

template <class Primitives>
bool basic_handoff<Primitives>::push_command(core::boundary::submitted_command command) {
    const auto pushed = inbox_.push(std::move(command));
    if (pushed.superseded) {
        end(operations_.take(*pushed.superseded), tl::unexpected(core::boundary::commit_superseded()));
    }
    return pushed.signal;
}

template <class Primitives>
void basic_handoff<Primitives>::submit(operation& call, core::boundary::any_command what) {
    namespace command = core::boundary::command;
    bool signal = false;
    {
        const guard outbox(outbox_mutex_);
        if (failure_) {
            call.outcome_.emplace(tl::unexpected(*failure_));
            return;
        }
        call.token_ = operations_.add(call);
        if (const auto* seek = std::get_if<command::seek>(&what)) {
            table_.close_gates(call.token_, {{seek->partition}});
        } else if (const auto* seek_to = std::get_if<command::seek_to>(&what)) {
            table_.close_gates(call.token_, seek_to->which);
        } else if (const auto* pause = std::get_if<command::pause>(&what); pause && !pause->which.empty()) {
            table_.close_gates(call.token_, pause->which);
        }
        signal = push_command({call.token_, call.deadline_, std::move(what)});
    }
    if (signal) line_->signal();
}

template <class Primitives>
void basic_handoff<Primitives>::submit_detached(std::unique_ptr<operation> call, core::boundary::any_command what) {
    bool signal = false;
    {
        const guard outbox(outbox_mutex_);
        if (failure_) {
            end({call.get(), std::move(call)}, tl::unexpected(*failure_));
            return;
        }
        auto& submitted = *call;
        submitted.token_ = operations_.add(std::move(call));
        signal = push_command({submitted.token_, submitted.deadline_, std::move(what)});
    }
    if (signal) line_->signal();
}

template <class Primitives>
void basic_handoff<Primitives>::tell(core::boundary::any_command what) {
    bool signal = false;
    {
        const guard outbox(outbox_mutex_);
        signal = push_command({core::boundary::no_operation, base::never, std::move(what)});
    }
    if (signal) line_->signal();
}

// Who waits for one call only does not look at the version: its end is all there is to look at.
template <class Primitives>
bool basic_handoff<Primitives>::try_register_held(waiter& who, std::uint64_t seen) {
    if (who.only == nullptr) return visible_.try_register(who, seen);
    return !who.only->outcome_ && visible_.try_register(who, visible_.version());
}

template <class Primitives>
bool basic_handoff<Primitives>::park_thread(guard& outbox, parked_thread& thread, std::uint64_t seen,
                                            base::instant deadline) {
    if (!try_register_held(thread, seen)) return true;
    if (thread.wait(outbox, deadline)) return true;
    visible_.withdraw(thread);
    return false;
}

template <class Primitives>
void basic_handoff<Primitives>::give_up(guard& outbox, operation& call) {
    if (!operations_.take(call.token_).call) return;
    const bool signal =
        push_command({core::boundary::no_operation, base::never, core::boundary::command::cancel{call.token_}});
    outbox.unlock();
    if (signal) line_->signal();
}

template <class Primitives>
void basic_handoff<Primitives>::fold(const application_progress& progress) {
    bool signal = false;
    {
        const guard outbox(outbox_mutex_);
        std::vector<core::boundary::fence_acknowledged> met;
        for (const auto& settled : progress.settled) {
            if (table_.on_settled(settled)) met.push_back({settled.slot, settled.era});
        }
        if (progress.meets_fences) {
            const auto waiting = table_.meet_fences();
            met.insert(met.end(), waiting.begin(), waiting.end());
        }
        signal = inbox_.fold(progress, met);
    }
    if (signal) line_->signal();
}

template <class Primitives>
bool basic_handoff<Primitives>::offer_notice(poll_offer& offer) {
    if (notices_.empty()) return false;
    offer.what = poll_offer::kind::notice;
    offer.notice = std::move(notices_.front());
    notices_.pop_front();
    return true;
}

template <class Primitives>
bool basic_handoff<Primitives>::offer_ended(poll_offer& offer) {
    if (ended_.empty()) return false;
    offer.what = poll_offer::kind::ended;
    offer.call = std::move(ended_.front());
    ended_.pop_front();
    return true;
}

template <class Primitives>
bool basic_handoff<Primitives>::offer_failure(poll_offer& offer) {
    if (!failure_) return false;
    offer.what = poll_offer::kind::failed;
    offer.failure = failure_;
    return true;
}

template <class Primitives>
poll_offer basic_handoff<Primitives>::next_callback() {
    poll_offer offer;
    bool signal = false;
    {
        const guard outbox(outbox_mutex_);
        offer.version = visible_.version();
        if (table_.fences_wait()) signal = inbox_.hand_back(table_.meet_fences(), {});
        if (!offer_notice(offer)) offer_ended(offer);
    }
    if (signal) line_->signal();
    return offer;
}

template <class Primitives>
poll_offer basic_handoff<Primitives>::next(const take_limits& limits, std::vector<fetched_piece>& data) {
    poll_offer offer;
    bool signal = false;
    {
        const guard outbox(outbox_mutex_);
        offer.version = visible_.version();
        std::vector<core::boundary::fence_acknowledged> met;
        if (table_.fences_wait()) met = table_.meet_fences();
        std::vector<core::boundary::buffer_drained> drained;
        if (std::exchange(wakeup_pending_, false)) {
            offer.what = poll_offer::kind::woken;
        } else if (!offer_notice(offer) && !offer_failure(offer) && !offer_ended(offer)) {
            fetches_.take(table_, limits, data, drained);
            voidings_seen_ = table_.voidings();
            if (!data.empty()) offer.what = poll_offer::kind::data;
            // Whatever was news has been looked at; if it led to nothing, nobody is to be woken for it.
            news_ = news_ && !data.empty();
        }
        signal = inbox_.hand_back(met, drained);
    }
    if (signal) line_->signal();
    return offer;
}

template <class Primitives>
void basic_handoff<Primitives>::confirm(std::vector<fetched_piece>& data) {
    bool signal = false;
    {
        const guard outbox(outbox_mutex_);
        if (table_.voidings() == voidings_seen_) return;
        const auto judge = [&](const fetched_piece& piece) {
            return table_.judge(piece.source->slot, piece.source->era);
        };
        for (const auto& piece : data) {
            if (judge(piece) != verdict::keep_back) continue;
            table_.on_taken_back(piece.source->slot, piece.from);
            fetches_.put_back(piece);
        }
        // What is void is nobody's any more: its slot may be another partition's by now.
        std::erase_if(data, [&](const fetched_piece& piece) { return judge(piece) != verdict::deliver; });
        signal = inbox_.hand_back(table_.meet_fences(), {});
    }
    if (signal) line_->signal();
}

template <class Primitives>
bool basic_handoff<Primitives>::park(std::uint64_t version, base::instant deadline) {
    guard outbox(outbox_mutex_);
    parked_thread thread(*this, nullptr);
    return park_thread(outbox, thread, version, deadline);
}

template <class Primitives>
bool basic_handoff<Primitives>::park(const operation& call, base::instant deadline) {
    guard outbox(outbox_mutex_);
    parked_thread thread(*this, &call);
    return park_thread(outbox, thread, 0, deadline);
}

template <class Primitives>
bool basic_handoff<Primitives>::try_register(waiter& who, std::uint64_t seen) {
    const guard outbox(outbox_mutex_);
    return try_register_held(who, seen);
}

template <class Primitives>
void basic_handoff<Primitives>::withdraw(waiter& who) {
    const guard outbox(outbox_mutex_);
    visible_.withdraw(who);
}

template <class Primitives>
bool basic_handoff<Primitives>::has_ended(const operation& call) const {
    const guard outbox(outbox_mutex_);
    return call.outcome_.has_value();
}

template <class Primitives>
bool basic_handoff<Primitives>::forget(operation& call) {
    guard outbox(outbox_mutex_);
    if (call.outcome_) return false;
    give_up(outbox, call);
    return true;
}

template <class Primitives>
void basic_handoff<Primitives>::look_again() {
    const resuming_guard outbox(*this);
    visible_.advance();
}

template <class Primitives>
void basic_handoff<Primitives>::wakeup() {
    const resuming_guard outbox(*this);
    wakeup_pending_ = true;
    visible_.advance();
}

template <class Primitives>
void basic_handoff<Primitives>::stop_delivery(core::boundary::slot_id slot, core::boundary::incarnation era) {
    const guard outbox(outbox_mutex_);
    table_.stop(slot, era);
}

template <class Primitives>
std::optional<core::boundary::position_value> basic_handoff<Primitives>::position(
    const topic_partition& partition) const {
    const guard outbox(outbox_mutex_);
    return table_.position(partition);
}

template <class Primitives>
bool basic_handoff<Primitives>::is_current(core::boundary::slot_id slot, core::boundary::incarnation era) const {
    const guard outbox(outbox_mutex_);
    return table_.is_current(slot, era);
}

template <class Primitives>
std::size_t basic_handoff<Primitives>::bytes_queued() const {
    const guard outbox(outbox_mutex_);
    return fetches_.bytes();
}

template <class Primitives>
std::optional<error> basic_handoff<Primitives>::failure() const {
    const guard outbox(outbox_mutex_);
    return failure_;
}

}  // namespace strandline::handoff
