// Writes into the logs of a plan's topics, at moments drawn from its seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testkit/simulator/event_queue.hpp"
#include "testkit/simulator/fault_plan.hpp"
#include "testkit/simulator/log_writer.hpp"
#include "testkit/simulator/seeded_choice.hpp"

namespace strandline::testkit::sim {

class plan_producers final : public event_target {
public:
    plan_producers(event_queue& queue, log_writer& logs, const fault_plan& plan);
    // Creates the topics and begins.
    void start();
    // Ends what is open and writes nothing more.
    void stop();

private:
    // One partition, with its transaction if one is open. Partitions that are added later are written to by the one
    // below them.
    struct writer {
        std::string topic;
        const topic_plan* how;
        std::int32_t partition;
        std::int64_t producer_id;
        int open_batches = 0;
    };
    void on_event(std::uint64_t what) override;
    void write(writer& one);
    void end_transaction(writer& one);
    batch_plan draw(const topic_plan& how);

    event_queue& queue_;
    log_writer& logs_;
    const fault_plan& plan_;
    seeded_choice choice_;
    std::vector<writer> writers_;
    bool stopped_ = false;
};

}  // namespace strandline::testkit::sim
