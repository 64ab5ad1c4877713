// The meeting after a first turn, and both of its sides in the hands of a test.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "handoff/handoff.hpp"

namespace strandline::handoff::testsupport {

using namespace std::chrono_literals;
namespace boundary = core::boundary;
namespace command = core::boundary::command;

inline const boundary::slot_id slot{0};
inline const boundary::incarnation era{1};
inline const boundary::partition_ref orders =
    std::make_shared<const boundary::partition_identity>(boundary::partition_identity{{"orders", 0}, {}});

struct counting_waker final : reactor_waker {
    void signal() noexcept override { ++signals; }
    std::atomic<int> signals{0};
};

inline boundary::snapshot_ref decision(bool checkpoint_wanted = false) {
    auto made = std::make_shared<boundary::snapshot>(*handoff().snapshot());
    made->checkpoint_wanted = checkpoint_wanted;
    return made;
}

inline boundary::slot_update assigned() {
    boundary::slot_update made;
    made.slot = slot;
    made.era = era;
    made.partition = orders;
    return made;
}

inline boundary::completed_fetch fetched(std::int64_t from, std::int64_t next, boundary::incarnation of = era) {
    boundary::completed_fetch made;
    made.slot = slot;
    made.era = of;
    made.partition = orders;
    made.batches = base::shared_bytes::copy_of(base::as_bytes("batches"));
    made.from_offset = from;
    made.next_offset = next;
    return made;
}

// The meeting as it stands after a first turn that wants nothing.
class handoff_test : public testing::Test {
public:
    handoff_test() {
        meeting.set_reactor_waker(&waker);
        turn();
        waker.signals = 0;
    }
    ~handoff_test() override { meeting.set_reactor_waker(nullptr); }

    reactor_inputs turn(bool checkpoint_wanted = false,
                        boundary::awaited_space awaited = boundary::awaited_space::none) {
        reactor_inputs inputs;
        meeting.collect(inputs);
        meeting.publish(decision(checkpoint_wanted), awaited);
        return inputs;
    }
    poll_offer next() {
        data.clear();
        return meeting.next({1024, 0}, data);
    }
    static application_progress poll_entry() {
        application_progress made;
        made.polled = base::instant(1s);
        made.inside_poll = true;
        made.meets_fences = true;
        return made;
    }
    void fence() {
        auto fenced = assigned();
        fenced.fenced = true;
        meeting.update(fenced);
    }
    void take_data() { ASSERT_EQ(next().what, poll_offer::kind::data); }

    handoff meeting;
    counting_waker waker;
    std::vector<fetched_piece> data;
};

// As a blocking call waits: until the end, or gives up at its deadline. False: given up.
inline bool ends(handoff& meeting, operation& call) {
    while (!meeting.has_ended(call)) {
        if (!meeting.park(call, call.deadline()) && meeting.forget(call)) return false;
    }
    return true;
}

}  // namespace strandline::handoff::testsupport
