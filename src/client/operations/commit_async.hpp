// Committing without waiting for it; a later poll runs the callback.
#pragma once

#include <optional>
#include <utility>

#include "client/call.hpp"

namespace strandline::client {

class commit_async_call final : public call_of<void> {
public:
    // Nothing named: what was processed.
    commit_async_call(consumer_state& state, access::frame_id frame, std::optional<offsets> named,
                      any_commit_callback done)
        : call_of(state, frame, "commit_async"), named_(std::move(named)), done_(std::move(done)) {}

private:
    step proceed() override;

    std::optional<offsets> named_;
    any_commit_callback done_;
};

}  // namespace strandline::client
