// One poll, from its entry to its return.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include <strandline/records.hpp>

#include "client/call.hpp"
#include "client/closing.hpp"
#include "client/processing_ledger.hpp"
#include "client/record_set.hpp"
#include "handoff/poll_offer.hpp"

namespace strandline::client {

class poll_call final : public call_of<polled_records> {
public:
    poll_call(consumer_state& state, std::chrono::milliseconds wait);
    ~poll_call() override { leave_poll(); }

private:
    step proceed() override;
    void on_leaving() override { leave_poll(); }
    std::optional<error> refusal() const;
    std::optional<step> begin();
    std::optional<step> tell_untold();
    std::optional<step> look();
    std::optional<step> go_on_with_callback();
    step go_on_closing();
    std::optional<step> wait(std::uint64_t version);

    void enter_poll(processing_ledger::counting how);
    void leave_poll();
    std::shared_ptr<fetched_batches> batches_of(const handoff::fetched_piece& piece);
    std::unique_ptr<record_set> gather(std::vector<handoff::fetched_piece>& pieces);
    void add(record_set& set, const handoff::fetched_piece& piece);
    polled_records with_resets(std::unique_ptr<record_set> set);
    std::optional<error> memory_held();

    base::instant until_;
    handoff::take_limits limits_;
    bool begun_ = false;
    bool inside_ = false;  // the reactor was told so
    std::optional<closing> closing_;
};

}  // namespace strandline::client
