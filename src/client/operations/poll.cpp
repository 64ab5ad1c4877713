#include "client/operations/poll.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "client/fetched_batches.hpp"
#include "client/partition_reader.hpp"
#include "core/boundary/call_names.hpp"

namespace strandline::client {

namespace {

// Unless max.poll.records says otherwise, a poll stops gathering with the fetch that reaches this many bytes.
constexpr std::size_t poll_bytes = std::size_t{1024} * 1024;

}  // namespace

poll_call::poll_call(consumer_state& state, std::chrono::milliseconds wait)
    : call_of(state, access::root_frame, core::boundary::call_name::poll),
      until_(deadline_after(state, wait)),
      limits_{poll_bytes, state.config.max_poll_records.value_or(0)} {}

step poll_call::proceed() {
    for (;;) {
        std::optional<step> next;
        if (!begun_) {
            next = begin();
        } else if (closing_) {
            next = go_on_closing();
        } else if (callbacks().is_busy()) {
            next = go_on_with_callback();
        } else {
            next = look();
        }
        if (next) return *next;
    }
}

std::optional<error> poll_call::refusal() const {
    if (in_callback()) {
        return error(errc::invalid_state, "poll: not possible in a callback, which a poll is running");
    }
    if (!state().subscribed && !state().close_requested) {
        return error(errc::invalid_state, "poll: subscribe or assign first");
    }
    return std::nullopt;
}

std::optional<step> poll_call::begin() {
    begun_ = true;
    if (auto refused = refusal()) return fail(std::move(*refused));
    enter_poll(processing_ledger::counting::released_as_handled);
    if (const auto trouble = state().ledger.take_untold()) return fail(trouble->reason());
    return tell_untold();
}

std::optional<step> poll_call::tell_untold() {
    auto& untold = state().untold;
    if (untold.empty()) return std::nullopt;
    auto first = std::move(untold.front());
    untold.pop_front();
    return fail(std::move(first));
}

std::optional<step> poll_call::look() {
    if (state().close_requested) {
        leave_poll();
        closing_.emplace(state(), callbacks(), waits(), deadline_after(state(), state().config.close_timeout),
                         group_membership::by_default);
        return std::nullopt;
    }
    std::vector<handoff::fetched_piece> pieces;
    auto offer = state().meeting.next(limits_, pieces);
    if (auto* const probe = state().probe) probe->on_looked(offer.what);
    switch (offer.what) {
        case handoff::poll_offer::kind::woken:
            return fail(error(errc::woken_up, "poll: interrupted by wakeup()", {}, {.retriable = true}));
        case handoff::poll_offer::kind::failed: return fail(std::move(*offer.failure));
        case handoff::poll_offer::kind::notice:
        case handoff::poll_offer::kind::ended:
            // Time in a callback is the application's, not poll's.
            leave_poll();
            callbacks().take(std::move(offer));
            return go_on_with_callback();
        case handoff::poll_offer::kind::data:
            if (auto gathered = gather(pieces)) return end(with_resets(std::move(gathered)));
            return std::nullopt;
        case handoff::poll_offer::kind::nothing: return wait(offer.version);
    }
    return std::nullopt;
}

std::optional<step> poll_call::go_on_with_callback() {
    if (const auto next = callbacks().advance(); next != step::ended) return next;
    enter_poll(processing_ledger::counting::as_read);
    if (auto failure = callbacks().take_failure()) return fail(std::move(*failure));
    return tell_untold();
}

step poll_call::go_on_closing() {
    if (const auto next = closing_->advance(); next != step::ended) return next;
    return fail({errc::consumer_closed, "poll: the consumer was closed, as request_close() asked"});
}

// The end of the poll, if its time is over.
std::optional<step> poll_call::wait(std::uint64_t version) {
    if (now() < until_) {
        waits() = {nullptr, version, until_};
        return step::wait;
    }
    if (auto held = memory_held()) return fail(std::move(*held));
    return end(with_resets(nullptr));
}

// Tells the reactor how far the application has come, and that it is here.
void poll_call::enter_poll(processing_ledger::counting how) {
    auto progress = state().ledger.collect(how);
    progress.polled = now();
    progress.inside_poll = true;
    progress.meets_fences = true;
    state().meeting.fold(progress);
    for (const auto& failed : state().ledger.take_failed()) state().meeting.stop_delivery(failed.slot, failed.era);
    inside_ = true;
}

void poll_call::leave_poll() {
    if (!std::exchange(inside_, false)) return;
    handoff::application_progress progress;
    progress.polled = now();
    progress.inside_poll = false;
    state().meeting.fold(progress);
}

std::shared_ptr<fetched_batches> poll_call::batches_of(const handoff::fetched_piece& piece) {
    if (piece.place && piece.place->made) return std::static_pointer_cast<fetched_batches>(piece.place->made);
    auto batches = std::make_shared<fetched_batches>(piece.source);
    if (piece.place) piece.place->made = batches;
    return batches;
}

// Null: all of it moved positions only, nothing to return.
std::unique_ptr<record_set> poll_call::gather(std::vector<handoff::fetched_piece>& pieces) {
    state().meeting.confirm(pieces);
    auto set = std::make_unique<record_set>();
    for (const auto& piece : pieces) add(*set, piece);
    auto* const probe = state().probe;
    if (!set->says_anything()) {
        if (probe) probe->on_passed_over(pieces);
        enter_poll(processing_ledger::counting::as_read);
        return nullptr;
    }
    if (probe) probe->on_returning(pieces);
    return set;
}

void poll_call::add(record_set& set, const handoff::fetched_piece& piece) {
    const auto& source = *piece.source;
    auto batches = batches_of(piece);
    auto progress = std::make_shared<part_progress>(source.slot, source.era, source.partition, piece.from, piece.to,
                                                    piece.last ? source.next_leader_epoch : -1);
    state().ledger.add(progress);
    std::shared_ptr<partition_trouble> behind;
    if (piece.last && source.failure) {
        behind = std::make_shared<partition_trouble>(source.partition, *source.failure);
        state().ledger.add(behind);
    }
    if (batches->may_have_records(piece.from, piece.to)) {
        auto reader =
            std::make_shared<partition_reader>(std::move(progress), std::move(batches), state().how_to_decode);
        reader->set_trouble_behind(std::move(behind));
        set.add(std::move(reader));
        return;
    }
    // Control records, aborted ones, compacted stretches: done without anybody seeing them.
    progress->finish();
    progress->release();
    const auto epoch = progress->next_epoch;
    set.add_position(source.partition, offset_and_metadata(piece.to, epoch < 0 ? std::nullopt : std::optional(epoch)));
    if (behind) set.add_trouble(std::move(behind));
}

polled_records poll_call::with_resets(std::unique_ptr<record_set> set) {
    auto resets = std::exchange(state().resets, {});
    if (resets.empty()) return polled_records(std::move(set));
    if (!set) set = std::make_unique<record_set>();
    set->add_resets(std::move(resets));
    return polled_records(std::move(set));
}

std::optional<error> poll_call::memory_held() {
    const auto published = state().meeting.snapshot();
    const bool awaits_space =
        std::ranges::any_of(published->waits, [](const auto& wait) { return wait.inputs.awaits_space(); });
    if (!awaits_space || state().meeting.bytes_queued() > 0) return std::nullopt;
    const auto held = state().ledger.held();
    if (held.empty()) return std::nullopt;
    return error(errc::memory_limit_held,
                 fmt::format("poll: nothing more can be fetched while the application holds records of {}: {} of "
                             "memory.limit={} bytes are in use. Let go of earlier records, or raise memory.limit.",
                             to_string(held), state().meeting.bytes_in_use(), state().config.memory_limit),
                 {}, {.retriable = true});
}

}  // namespace strandline::client
