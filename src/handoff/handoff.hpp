// The one place where the application's threads and the reactor meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <strandline/error.hpp>

#include "base/bytes.hpp"
#include "base/instant.hpp"
#include "core/boundary/awaited_space.hpp"
#include "core/boundary/command.hpp"
#include "core/boundary/completion.hpp"
#include "core/boundary/delivery.hpp"
#include "core/boundary/notice.hpp"
#include "core/boundary/snapshot.hpp"
#include "handoff/application_progress.hpp"
#include "handoff/delivery_table.hpp"
#include "handoff/fetch_queue.hpp"
#include "handoff/inbox.hpp"
#include "handoff/memory_gauge.hpp"
#include "handoff/operation.hpp"
#include "handoff/operation_table.hpp"
#include "handoff/poll_offer.hpp"
#include "handoff/primitives.hpp"
#include "handoff/reactor_inputs.hpp"
#include "handoff/reactor_waker.hpp"
#include "handoff/turn_trace.hpp"
#include "handoff/versioned_gate.hpp"
#include "handoff/wake_line.hpp"

namespace strandline::handoff {

// Two halves, a lock each: the inbox, what the reactor collects, and the outbox, what the application looks at. Whoever
// needs both takes the outbox first. No lock is held while anything of the application or of the reactor runs.
template <class Primitives>
class basic_handoff {
public:
    basic_handoff();
    ~basic_handoff();
    basic_handoff(const basic_handoff&) = delete;
    basic_handoff& operator=(const basic_handoff&) = delete;

    // --- The reactor's side. One thread at a time.

    // Whom to signal when a turn is wanted; null: nobody any more. What was submitted before is signalled at once.
    void set_reactor_waker(reactor_waker* waker);
    // Phase 1 of a turn: takes everything that arrived; `into` is cleared first and keeps its capacity.
    void collect(reactor_inputs& into);
    // Phase 4: the decision. Whoever calls snapshot() from now on sees it. `awaited`: which space is to wake the
    // reactor when it comes back; without it none does. What arrived since collect() and is awaited now signals at
    // once.
    void publish(core::boundary::snapshot_ref decision,
                 core::boundary::awaited_space awaited = core::boundary::awaited_space::none);
    // Phase 5, the effects, in this order: update, deliver and recall, notify, complete, wake_application.
    void update(const core::boundary::slot_update& change);
    void deliver(core::boundary::completed_fetch data);
    // What waits of it and may not be handed out now is dropped; the next turn hears from where on.
    void recall(const core::boundary::buffer_recall& wanted);
    void notify(core::boundary::notice what);
    // A token that is unknown, because its call gave up at its deadline, is no fault.
    void complete(core::boundary::completion end);
    // Ends the waits for whatever the effects above made visible; nothing if there was nothing.
    void wake_application();
    // The reactor will not turn (any more): every operation ends with `reason`, and so do later ones and every poll.
    // The first reason stays.
    void fail_all(error reason);
    // The account for slices that frames are read into; bytes_in_use counts them until the last view is gone.
    std::shared_ptr<base::memory_account> memory() const;
    // What of it is free is kept to be used again, as far as this leaves room beside what is in use. Before the
    // reactor.
    void limit_memory(std::size_t bytes) noexcept { gauge_->set_limit(bytes); }

    // --- The application's side. Any thread; who may call when is decided by access/.

    // The newest decision; never null.
    core::boundary::snapshot_ref snapshot() const;
    // The turns that led to it, oldest first.
    std::vector<core::boundary::turn_record> trace() const {
        const guard held(snapshot_mutex_);
        return trace_.all();
    }
    std::size_t bytes_in_use() const { return gauge_->bytes(); }

    // Submits; exactly one outcome follows. Seek and pause also close the gates of their partitions, now.
    void submit(operation& call, core::boundary::any_command what);
    // Nobody waits: the table keeps the call, and a poll_offer hands it back when it has ended.
    void submit_detached(std::unique_ptr<operation> call, core::boundary::any_command what);
    // Commands that have no completion: callback_finished.
    void tell(core::boundary::any_command what);

    // The application's progress; folds into the slot the reactor reads, without waking it unless it wants to know.
    void fold(const application_progress& progress);
    // What a poll may act on, the most urgent first: a wake-up, a notice, an ended asynchronous call, data. Data is
    // taken. Fences that wait are met: what the application did before must have been folded.
    poll_offer next(const take_limits& limits, std::vector<fetched_piece>& data);
    // The last step of a poll before it returns data: takes back what was fenced since it was taken.
    void confirm(std::vector<fetched_piece>& data);
    // As next(), but notices and ended calls only: for calls that run callbacks while they wait, and hand out nothing
    // more.
    poll_offer next_callback();
    // Parks a poll that has seen `version`. False: the deadline.
    bool park(std::uint64_t version, base::instant deadline);
    // Parks until the call ends. False: the deadline; whether to give it up is the caller's business.
    bool park(const operation& call, base::instant deadline);
    // The same for who has no thread to park: `who` resumes once, when its operation has ended or, if it has none, when
    // something newer than `seen` is visible. False: that is so already, look again instead of waiting.
    bool try_register(waiter& who, std::uint64_t seen);
    // The wait is over for another reason; once this has returned, `who` does not resume any more.
    void withdraw(waiter& who);
    bool has_ended(const operation& call) const;
    // Moves with everything that becomes visible; for whoever looks on.
    std::uint64_t visible_version() const {
        const guard outbox(outbox_mutex_);
        return visible_.version();
    }
    // Its caller goes away: the call is forgotten, its effects unknown, and the reactor is told to cancel it. False: it
    // has ended meanwhile.
    bool forget(operation& call);
    // Interrupts one poll, this or the next.
    void wakeup();
    // Something that is not kept here has changed: a poll that waits looks again.
    void look_again();

    // A batch proved bad where it was decoded: nothing more of the slot is handed out in this incarnation.
    void stop_delivery(core::boundary::slot_id slot, core::boundary::incarnation era);
    // Of what is assigned.
    std::optional<core::boundary::slot_id> slot(const topic_partition& partition) const {
        const guard outbox(outbox_mutex_);
        return table_.slot(partition);
    }
    // Where the application stands: the next offset to be handed out, if anything of the incarnation was or waits to
    // be.
    std::optional<core::boundary::position_value> position(const topic_partition& partition) const;
    // Whether data of this incarnation is still the application's: not given up, not sought away.
    bool is_current(core::boundary::slot_id slot, core::boundary::incarnation era) const;
    // Bytes of batches that wait to be taken.
    std::size_t bytes_queued() const;
    // Partitions of which the application was given something that it has not been seen to let go of.
    partitions handed_out() const {
        const guard outbox(outbox_mutex_);
        return table_.handed_out();
    }
    std::optional<error> failure() const;

private:
    using mutex = typename Primitives::mutex;
    using guard = std::unique_lock<mutex>;
    class parked_thread;
    class resuming_guard;

    // Outbox held.
    void take_place_of_earlier(core::boundary::callback_wanted& wanted);
    void end(operation_table::entry entry, result<core::boundary::operation_value> outcome);
    void bring_back(core::boundary::slot_id slot);
    bool offer_notice(poll_offer& offer);
    bool offer_ended(poll_offer& offer);
    bool offer_failure(poll_offer& offer);
    bool try_register_held(waiter& who, std::uint64_t seen);
    bool park_thread(guard& outbox, parked_thread& thread, std::uint64_t seen, base::instant deadline);
    void give_up(guard& outbox, operation& call);
    // True: signal the line.
    bool push_command(core::boundary::submitted_command command);

    std::shared_ptr<wake_line<Primitives>> line_;
    std::shared_ptr<memory_gauge<Primitives>> gauge_;

    inbox<Primitives> inbox_;
    std::size_t bytes_collected_ = 0;  // the reactor's

    mutable mutex outbox_mutex_;
    typename Primitives::condition threads_;  // that are parked
    bool threads_resumed_ = false;  // some of them, not notified yet
    versioned_gate visible_;
    std::uint64_t voidings_seen_ = 0;  // when data was last taken
    operation_table operations_;
    fetch_queue fetches_;
    delivery_table table_;
    std::deque<core::boundary::notice> notices_;
    std::deque<std::unique_ptr<operation>> ended_;
    std::optional<error> failure_;
    bool news_ = false;
    bool wakeup_pending_ = false;

    mutable mutex snapshot_mutex_;
    core::boundary::snapshot_ref snapshot_;
    turn_trace trace_;
};

using handoff = basic_handoff<primitives>;
extern template class basic_handoff<primitives>;

}  // namespace strandline::handoff
