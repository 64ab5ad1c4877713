// The loop: poll, print, commit, until there is a reason to stop.
#pragma once

#include "apps/consume/group_progress.hpp"
#include "apps/consume/record_printer.hpp"
#include "apps/consume/session.hpp"

namespace strandline::apps::consume {

class reading {
public:
    // `group`: null by hand.
    reading(session& run, group_progress* group) : run_(run), group_(group), printer_(run) {}

    // When it returns, everything printed has reached the kernel.
    void go();

private:
    void handle(const error& failure);
    void note_resets(const std::vector<position_reset>& resets);
    void look_a_last_time();
    void when_idle();
    void note_unknown_topics(const explanation& why);
    bool is_at_end();
    void look_at_end(const topic_partition& partition, partition_progress& progress);

    session& run_;
    group_progress* group_;
    record_printer printer_;
    std::vector<std::string> told_topics_;
    contact::clock::time_point next_topics_look_ = contact::clock::now();
    contact::clock::time_point next_error_note_ = contact::clock::now();
};

}  // namespace strandline::apps::consume
