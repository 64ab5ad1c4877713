#include "client/call.hpp"
#include "client/operations.hpp"

namespace strandline::client {

result<void> assign(consumer_state& state, frame_id frame, const partitions& wanted) {
    auto let_in = call::begin(state, frame, "assign");
    if (!let_in) return tl::unexpected(let_in.error());
    for (const auto& partition : wanted) {
        if (partition.topic.empty() || partition.partition < 0) {
            return tl::unexpected(
                error(errc::invalid_argument, "assign: " + to_string(partition) + " is no partition"));
        }
    }
    auto done = let_in->done_after_callback(core::boundary::command::assign{wanted});
    if (done) {
        state.listener = {};
        state.subscribed = !wanted.empty();
    }
    return done;
}

}  // namespace strandline::client
