#include "testkit/simulator/plan_producers.hpp"

#include <algorithm>

namespace strandline::testkit::sim {

plan_producers::plan_producers(event_queue& queue, log_writer& logs, const fault_plan& plan)
    : queue_(queue), logs_(logs), plan_(plan), choice_(plan.seed, 3) {}

void plan_producers::start() {
    for (const auto& topic : plan_.topics) {
        logs_.create_topic(topic.name, topic.partitions, static_cast<std::int16_t>(topic.replication));
        if (topic.every == base::duration::zero()) continue;
        for (std::int32_t i = 0; i < topic.partitions; ++i) {
            writers_.push_back({topic.name, &topic, i, 1000 + static_cast<std::int64_t>(writers_.size())});
            queue_.at(queue_.now() + choice_.between(base::duration(0), topic.every), *this, writers_.size() - 1);
        }
    }
}

void plan_producers::stop() {
    stopped_ = true;
    for (auto& one : writers_) end_transaction(one);
}

void plan_producers::on_event(std::uint64_t what) {
    if (stopped_) return;
    auto& one = writers_[what];
    write(one);
    auto every = one.how->every;
    // As many in all: what comes soon is missing later.
    if (one.how->bursts > 0)
        every = choice_.chance(one.how->bursts) ? every / 100 : every * 100 / (100 - one.how->bursts);
    queue_.at(queue_.now() + choice_.between(every / 2, every * 3 / 2), *this, what);
}

batch_plan plan_producers::draw(const topic_plan& how) {
    batch_plan drawn;
    drawn.records = static_cast<std::int32_t>(choice_.between(1, std::max(2 * how.records - 1, 1)));
    drawn.value_bytes = how.bytes;
    if (!choice_.chance(how.compacted)) return drawn;
    const auto kind = choice_.between(0, 3);
    const auto gap = static_cast<std::int32_t>(choice_.between(1, 20));
    if (kind == 0) drawn.gap_before = gap;
    if (kind == 1) drawn.gap_inside = gap;
    if (kind >= 2) drawn.gap_behind = gap;
    // Everything of it may be gone.
    if (kind == 3) drawn.records = 0;
    return drawn;
}

void plan_producers::write(writer& one) {
    // What was added later is written to as well.
    auto partition = one.partition;
    const auto there = logs_.partitions_of(one.topic);
    if (there > one.how->partitions && one.partition + one.how->partitions < there && one.open_batches == 0) {
        if (choice_.chance(50)) partition += one.how->partitions;
    }
    const auto batch = draw(*one.how);
    if (partition != one.partition || !choice_.chance(one.how->transactional)) {
        logs_.append(one.topic, partition, batch);
        return;
    }
    if (logs_.append_in_transaction(one.topic, partition, batch, one.producer_id)) ++one.open_batches;
    if (one.open_batches > 0 && choice_.chance(50)) end_transaction(one);
}

void plan_producers::end_transaction(writer& one) {
    if (one.open_batches == 0) return;
    one.open_batches = 0;
    const bool commit = choice_.chance(60);
    logs_.end_transaction(one.topic, one.partition, one.producer_id, commit);
}

}  // namespace strandline::testkit::sim
