#include "client/call.hpp"
#include "client/operations.hpp"

namespace strandline::client {

result<void> pause(consumer_state& state, frame_id frame, const partitions& which) {
    auto let_in = call::begin(state, frame, "pause");
    if (!let_in) return tl::unexpected(let_in.error());
    if (which.empty()) return {};
    return let_in->done(core::boundary::command::pause{which});
}

result<void> resume(consumer_state& state, frame_id frame, const partitions& which) {
    auto let_in = call::begin(state, frame, "resume");
    if (!let_in) return tl::unexpected(let_in.error());
    if (which.empty()) return {};
    return let_in->done(core::boundary::command::resume{which});
}

}  // namespace strandline::client
