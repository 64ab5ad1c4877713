// What was printed, committed to the group.
#pragma once

#include <chrono>
#include <set>

#include <strandline/consumer.hpp>

#include "apps/consume/session.hpp"

namespace strandline::apps::consume {

// Commits named offsets only: of what has reached the kernel.
class group_progress final : public rebalance_listener {
public:
    explicit group_progress(session& run) : run_(run) {}

    void on_assigned(consumer_access access, const partitions& added) override;
    void on_revoked(consumer_access access, const partitions& leaving) override;
    void on_lost(consumer_access access, const partitions& gone) override;

    // The first assignment of the membership is there; it may be empty.
    bool is_assigned() const noexcept { return is_assigned_; }
    // As the listener heard of them: what is lost counts until that has been told.
    const std::set<topic_partition>& assigned() const noexcept { return assigned_; }
    // Now and then, as auto.commit.interval.ms says; asked between polls.
    void commit_in_passing();
    // At the end: what was printed, and the positions of partitions of which nothing was. False: it could not be done;
    // said what is not committed.
    bool commit_all();

private:
    using clock = std::chrono::steady_clock;

    offsets uncommitted() const;
    void note_committed(const offsets& named);
    void add_positions(offsets& named);
    void find_ends(consumer_access& access, const partitions& added);
    void forget(const partitions& gone);

    session& run_;
    bool is_assigned_ = false;
    std::set<topic_partition> assigned_;
    clock::time_point next_commit_ = clock::now();
    bool commit_under_way_ = false;
};

}  // namespace strandline::apps::consume
