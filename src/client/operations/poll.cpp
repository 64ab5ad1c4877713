#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "client/call.hpp"
#include "client/callbacks.hpp"
#include "client/close_now.hpp"
#include "client/operations.hpp"
#include "client/record_set.hpp"

namespace strandline::client {

namespace boundary = core::boundary;

namespace {

// Unless max.poll.records says otherwise, a poll stops gathering with the fetch that reaches this many bytes.
constexpr std::size_t poll_bytes = std::size_t{1024} * 1024;

// One poll, from its entry to its return.
class polling {
public:
    polling(consumer_state& state, base::instant deadline)
        : state_(state), deadline_(deadline), limits_{poll_bytes, state.config.max_poll_records.value_or(0)} {}
    ~polling() { leave(); }
    polling(const polling&) = delete;
    polling& operator=(const polling&) = delete;

    result<polled_records> run() {
        enter(processing_ledger::counting::released_as_handled);
        if (auto untold = untold_trouble()) return tl::unexpected(std::move(*untold));
        for (;;) {
            if (state_.close_requested) return tl::unexpected(close_as_requested());
            std::vector<handoff::fetched_piece> pieces;
            auto offer = state_.meeting.next(limits_, pieces);
            switch (offer.what) {
                case handoff::poll_offer::kind::woken:
                    return tl::unexpected(
                        error(errc::woken_up, "poll: interrupted by wakeup()", {}, {.retriable = true}));
                case handoff::poll_offer::kind::failed: return tl::unexpected(std::move(*offer.failure));
                case handoff::poll_offer::kind::notice:
                case handoff::poll_offer::kind::ended:
                    if (auto failure = run_callback_of(std::move(offer))) return tl::unexpected(std::move(*failure));
                    break;
                case handoff::poll_offer::kind::data:
                    if (auto gathered = gather(pieces)) return polled_records(std::move(gathered));
                    break;
                case handoff::poll_offer::kind::nothing:
                    if (auto end = wait(offer.version)) return std::move(*end);
                    break;
            }
        }
    }

private:
    // Tells the reactor how far the application has come, and that it is here.
    void enter(processing_ledger::counting how) {
        auto progress = state_.ledger.collect(how);
        progress.polled = now();
        progress.inside_poll = true;
        progress.meets_fences = true;
        state_.meeting.fold(progress);
        for (const auto& failed : state_.ledger.take_failed()) state_.meeting.stop_delivery(failed.slot, failed.era);
        inside_ = true;
    }
    void leave() {
        if (!std::exchange(inside_, false)) return;
        handoff::application_progress progress;
        progress.polled = now();
        progress.inside_poll = false;
        state_.meeting.fold(progress);
    }

    std::optional<error> untold_trouble() {
        const auto trouble = state_.ledger.take_untold();
        if (!trouble) return std::nullopt;
        return trouble->reason();
    }

    // Time in a callback is the application's, not poll's.
    std::optional<error> run_callback_of(handoff::poll_offer offer) {
        leave();
        auto failure = handle(state_, std::move(offer));
        enter(processing_ledger::counting::as_read);
        return failure;
    }

    error close_as_requested() {
        leave();
        static_cast<void>(close_now(state_, deadline_after(state_.config.close_timeout), group_membership::by_default));
        return {errc::consumer_closed, "poll: the consumer was closed, as request_close() asked"};
    }

    std::shared_ptr<fetched_batches> batches_of(const handoff::fetched_piece& piece) {
        auto& cut = state_.cut_fetch;
        auto batches =
            cut && &cut->source() == piece.source.get() ? cut : std::make_shared<fetched_batches>(piece.source);
        if (piece.last) {
            if (cut == batches) cut.reset();
        } else {
            cut = batches;
        }
        return batches;
    }

    // Null: all of it moved positions only, nothing to return.
    std::unique_ptr<record_set> gather(std::vector<handoff::fetched_piece>& pieces) {
        state_.meeting.confirm(pieces);
        auto set = std::make_unique<record_set>();
        for (const auto& piece : pieces) add(*set, piece);
        if (!set->says_anything()) {
            enter(processing_ledger::counting::as_read);
            return nullptr;
        }
        return set;
    }

    void add(record_set& set, const handoff::fetched_piece& piece) {
        const auto& source = *piece.source;
        auto batches = batches_of(piece);
        auto progress = std::make_shared<part_progress>(source.slot, source.era, source.partition, piece.from, piece.to,
                                                        piece.last ? source.next_leader_epoch : -1);
        state_.ledger.add(progress);
        std::shared_ptr<partition_trouble> behind;
        if (piece.last && source.failure) {
            behind = std::make_shared<partition_trouble>(source.partition, *source.failure);
            state_.ledger.add(behind);
        }
        if (batches->may_have_records(piece.from, piece.to)) {
            auto reader =
                std::make_shared<partition_reader>(std::move(progress), std::move(batches), state_.how_to_decode);
            reader->set_trouble_behind(std::move(behind));
            set.add(std::move(reader));
            return;
        }
        // Control records, aborted ones, compacted stretches: done without anybody seeing them.
        progress->finish();
        progress->release();
        const auto epoch = progress->next_epoch;
        set.add_position(source.partition,
                         offset_and_metadata(piece.to, epoch < 0 ? std::nullopt : std::optional(epoch)));
        if (behind) set.add_trouble(std::move(behind));
    }

    // The end of the poll, if its time is over.
    std::optional<result<polled_records>> wait(std::uint64_t version) {
        if (now() < deadline_) {
            state_.meeting.park(version, deadline_);
            return std::nullopt;
        }
        if (auto held = memory_held()) return result<polled_records>(tl::unexpected(std::move(*held)));
        return result<polled_records>(polled_records());
    }

    std::optional<error> memory_held() {
        const auto published = state_.meeting.snapshot();
        bool awaits_space = false;
        for (const auto& wait : published->waits) awaits_space = awaits_space || wait.inputs.awaits_space();
        if (!awaits_space || state_.meeting.bytes_queued() > 0) return std::nullopt;
        const auto held = state_.ledger.held();
        if (held.empty()) return std::nullopt;
        return error(errc::memory_limit_held,
                     fmt::format("poll: nothing more can be fetched while the application holds records of {}: {} of "
                                 "memory.limit={} bytes are in use. Let go of earlier records, or raise memory.limit.",
                                 to_string(held), state_.meeting.bytes_in_use(), state_.config.memory_limit),
                     {}, {.retriable = true});
    }

    consumer_state& state_;
    base::instant deadline_;
    handoff::take_limits limits_;
    bool inside_ = false;
};

}  // namespace

result<polled_records> poll(consumer_state& state, std::chrono::milliseconds timeout) {
    const auto let_in = call::begin(state, access::root_frame, "poll");
    if (!let_in) return tl::unexpected(let_in.error());
    if (let_in->in_callback()) {
        return tl::unexpected(error(errc::invalid_state, "poll: not possible in a callback, which a poll is running"));
    }
    if (!state.subscribed && !state.close_requested) {
        return tl::unexpected(error(errc::invalid_state, "poll: subscribe or assign first"));
    }
    return polling(state, deadline_after(timeout)).run();
}

}  // namespace strandline::client
