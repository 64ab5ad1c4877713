#include "client/call.hpp"
#include "client/operations.hpp"

namespace strandline::client {

result<void> seek(consumer_state& state, frame_id frame, const topic_partition& partition,
                  const offset_and_metadata& to) {
    auto let_in = call::begin(state, frame, "seek");
    if (!let_in) return tl::unexpected(let_in.error());
    if (to.offset < 0) {
        return tl::unexpected(
            error(errc::invalid_argument, "seek: " + to_string(partition) + ": the offset is negative"));
    }
    return let_in->done(core::boundary::command::seek{partition, to.offset, to.leader_epoch});
}

result<void> seek_to(consumer_state& state, frame_id frame, const partitions& which, bool beginning) {
    using command = core::boundary::command::seek_to;
    auto let_in = call::begin(state, frame, beginning ? "seek_to_beginning" : "seek_to_end");
    if (!let_in) return tl::unexpected(let_in.error());
    return let_in->done(command{beginning ? command::end::beginning : command::end::end, which});
}

}  // namespace strandline::client
