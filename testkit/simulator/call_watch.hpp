// Tells what one application asks of its consumer and what comes of it: calls, waits, callbacks, and the stretches of
// logs that polls return.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "client/call_probe.hpp"
#include "testkit/simulator/checkers/observation.hpp"
#include "testkit/simulator/log_writer.hpp"
#include "testkit/simulator/observations.hpp"

namespace strandline::testkit::sim {

// A stretch that a poll returned, and where it is from by name.
struct returned_piece {
    topic_partition name;
    observed::piece where;
};
using returned_pieces = std::shared_ptr<const std::vector<returned_piece>>;

class call_watch final : public client::call_probe {
public:
    // All of it outlives the watch.
    call_watch(consumer_id who, observations& told, const log_writer& logs) : who_(who), told_(told), logs_(logs) {}

    // What the program says of its calls; what goes on inside them is told by itself.
    call_id begin(observed::call_begun what);
    void end(observed::call_ended what);
    // What the newest poll returned; never null.
    const returned_pieces& pieces() const noexcept { return pieces_; }

    template <class What>
    void tell(What&& what) {
        if (anybody()) told_.tell(who_, std::forward<What>(what));
    }
    // Nobody of the process is left to tell anything.
    void fall_silent() noexcept { silent_ = true; }
    bool anybody() const noexcept { return told_.anybody() && !silent_; }
    const log_writer& logs() const noexcept { return logs_; }

private:
    void on_looked(handoff::poll_offer::kind found) override;
    void on_waits(std::uint64_t seen) override;
    void on_resumed(resumed why, std::uint64_t version) override;
    void on_returning(const std::vector<handoff::fetched_piece>& pieces) override;
    void on_passed_over(const std::vector<handoff::fetched_piece>& pieces) override;
    void on_callback_begins(core::boundary::callback_id id, const client::wanted_callback& what) override;
    void on_callback_ended(core::boundary::callback_id id, bool failed) override;
    observed::piece place_of(const handoff::fetched_piece& piece) const;
    call_id innermost() const { return open_.empty() ? call_id(0) : open_.back(); }

    consumer_id who_;
    observations& told_;
    const log_writer& logs_;
    std::vector<call_id> open_;  // the innermost last
    std::uint64_t last_ = 0;
    returned_pieces pieces_ = std::make_shared<const std::vector<returned_piece>>();
    bool silent_ = false;
};

}  // namespace strandline::testkit::sim
