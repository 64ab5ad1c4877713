// A group of several runs of the tool beside a steady producer, and what a test has to ask about it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/live/kafka_cluster.hpp"
#include "tests/live/tool.hpp"

namespace strandline::live {

class group_run {
public:
    group_run(kafka_cluster& cluster, std::string group, std::string topic);
    ~group_run();
    group_run(const group_run&) = delete;
    group_run& operator=(const group_run&) = delete;

    // One more member, reading from the beginning where nothing is committed.
    child_process& join(const arguments& further = {});

    // Each throws not_in_time when it does not come true.
    // `count` members, all stable, holding the topic's `partitions` together, each at least one.
    void await_members(std::size_t count, std::size_t partitions);
    void await_lines_of_each(std::size_t count);
    // Until the members that run, and those that have ended, have printed that many in all.
    void await_lines_in_all(std::size_t count);

    void start_producing(int partitions, int rate);
    // How many records the topic holds now.
    std::size_t stop_producing();

    // The output of every member there ever was.
    std::vector<std::vector<std::string>> lines() const;
    child_process& member(std::size_t index) { return *members_.at(index); }
    // SIGINT to all that run; each must end with status 0.
    void interrupt_all();

private:
    kafka_cluster& cluster_;
    std::string group_;
    std::string topic_;
    bool producing_ = false;
    std::vector<std::unique_ptr<child_process>> members_;
};

}  // namespace strandline::live
