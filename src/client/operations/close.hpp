// Closing the consumer; in a callback it only requests.
#pragma once

#include <optional>

#include <strandline/close.hpp>

#include "client/call.hpp"
#include "client/closing.hpp"

namespace strandline::client {

class close_call final : public call_of<close_report> {
public:
    close_call(consumer_state& state, access::frame_id frame, timeout within, group_membership membership)
        : call_of(state, frame, "close", within), membership_(membership) {}

private:
    step proceed() override;
    step fail(error why) override;

    group_membership membership_;
    std::optional<closing> closing_;
};

}  // namespace strandline::client
