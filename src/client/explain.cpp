#include "client/explain.hpp"

#include <utility>

#include "access/frame.hpp"
#include "core/boundary/explain.hpp"

namespace strandline::client {

namespace boundary = core::boundary;

namespace {

boundary::application_view look_at(const consumer_state& state) {
    boundary::application_view seen;
    for (const auto& frame : state.door.inside()) {
        const boundary::application_view::doing what{std::string(frame.who.operation), frame.who.since};
        if (frame.what == access::frame::kind::callback) {
            seen.callback = what;
            seen.inner.reset();
        } else if (seen.callback) {
            seen.inner = what;
        } else {
            seen.call = what;
        }
    }
    seen.closed = state.closed;
    seen.bytes_queued = state.meeting.bytes_queued();
    seen.bytes_in_use = state.meeting.bytes_in_use();
    seen.memory_limit = state.core.memory_limit;
    seen.handed_out = state.meeting.handed_out();
    seen.fetch_max_wait = state.core.fetch_max_wait;
    seen.read_committed = state.core.isolation == boundary::isolation_level::read_committed;
    seen.group_id = state.core.group_id;
    return seen;
}

}  // namespace

explanation explain(const consumer_state& state) {
    const auto published = state.meeting.snapshot();
    const auto now = state.time.now();
    auto made = boundary::explain(*published, look_at(state), now);
    for (const auto& turn : state.meeting.trace()) made.turns.push_back(boundary::words_of(turn, now));
    return made;
}

}  // namespace strandline::client
