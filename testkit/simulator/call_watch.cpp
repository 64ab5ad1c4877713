#include "testkit/simulator/call_watch.hpp"

#include <algorithm>

#include "client/callback_turn.hpp"

namespace strandline::testkit::sim {

call_id call_watch::begin(observed::call_begun what) {
    what.call = call_id((std::uint64_t{who_.value()} << 32U) | ++last_);
    what.in_callback = !open_.empty();
    // A poll that returns nothing leaves nothing to read.
    if (what.what == observed::call_kind::poll) pieces_ = std::make_shared<const std::vector<returned_piece>>();
    open_.push_back(what.call);
    const auto id = what.call;
    tell(std::move(what));
    return id;
}

void call_watch::end(observed::call_ended what) {
    std::erase(open_, what.call);
    tell(std::move(what));
}

void call_watch::on_looked(handoff::poll_offer::kind found) {
    using seen = handoff::poll_offer::kind;
    using told = observed::looked::found;
    auto what = told::nothing;
    switch (found) {
        case seen::nothing: what = told::nothing; break;
        case seen::failed: what = told::failed; break;
        case seen::woken: what = told::woken; break;
        case seen::notice: what = told::notice; break;
        case seen::ended: what = told::ended; break;
        case seen::data: what = told::data; break;
    }
    tell(observed::looked{innermost(), what});
}

void call_watch::on_waits(std::uint64_t seen) { tell(observed::parked{innermost(), seen}); }

void call_watch::on_resumed(resumed why, std::uint64_t version) {
    using told = observed::woken::reason;
    const auto reason = why == resumed::visible ? told::visible : why == resumed::ended ? told::ended : told::deadline;
    tell(observed::woken{innermost(), reason, version});
}

observed::piece call_watch::place_of(const handoff::fetched_piece& piece) const {
    const auto& from = *piece.source;
    return {logs_.log_of(from.partition->topic_id, from.partition->name.partition), from.slot, from.era, piece.from,
            piece.to};
}

void call_watch::on_returning(const std::vector<handoff::fetched_piece>& pieces) {
    auto made = std::make_shared<std::vector<returned_piece>>();
    observed::poll_returned told{innermost(), {}};
    for (const auto& one : pieces) {
        // With an error alone nothing is handed out, and nothing can be read to its end.
        if (one.from == one.to) continue;
        made->push_back({one.source->partition->name, place_of(one)});
        told.pieces.push_back(made->back().where);
    }
    pieces_ = std::move(made);
    tell(std::move(told));
}

void call_watch::on_passed_over(const std::vector<handoff::fetched_piece>& pieces) {
    for (const auto& one : pieces) {
        const auto where = place_of(one);
        tell(observed::processed{where.log, where.era, where.to});
    }
}

void call_watch::on_callback_begins(core::boundary::callback_id id, const client::wanted_callback& what) {
    using kind = client::wanted_callback::kind;
    using told = observed::notice_given::kind;
    observed::callback_begun begun{id, told::assigned, {}};
    if (what.what == kind::revoked) begun.what = told::revoked;
    if (what.what == kind::lost) begun.what = told::lost;
    for (const auto& one : what.which) begun.which.push_back(logs_.log_of(one));
    tell(std::move(begun));
}

void call_watch::on_callback_ended(core::boundary::callback_id id, bool failed) {
    tell(observed::callback_ended{id, failed});
}

}  // namespace strandline::testkit::sim
