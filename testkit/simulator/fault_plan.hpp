// What a seed does, as data: the world, who consumes in it, and what goes wrong when. Printed, parsed and shortened.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <strandline/error.hpp>

#include "base/instant.hpp"
#include "testkit/simulator/fault_kind.hpp"

namespace strandline::testkit::sim {

// One thing that goes wrong, or that an application does out of turn. Fields that a kind does not use stay at their
// defaults; fault_kind.hpp says what they mean.
struct fault {
    base::duration at{};
    fault_kind what = fault_kind::latency;
    base::duration lasts{};        // zero: it is over at once
    std::int32_t broker = 0;       // by id; 0: every broker
    std::int32_t consumer = 0;     // 1 is the first; 0: every consumer
    std::string topic = {};
    std::int32_t partition = -1;   // -1: every partition
    std::int32_t api = -1;         // Kafka's number
    std::int32_t error = 0;        // Kafka's error code
    std::int64_t amount = 0;       // how much, how often, how far
    base::duration delay{};
    friend bool operator==(const fault&, const fault&) = default;
};

// A topic and what is written into each of its partitions.
struct topic_plan {
    std::string name = "orders";
    std::int32_t partitions = 1;
    std::int32_t replication = 1;
    base::duration every = std::chrono::seconds(1);  // a batch each, on average; zero: nothing is written
    std::int32_t records = 10;        // of a batch, on average
    std::int32_t bytes = 50;          // of a value
    std::int32_t transactional = 0;   // percent of batches
    std::int32_t compacted = 0;       // percent of batches that have gaps
    std::int32_t bursts = 0;          // percent of batches that another one follows soon
    friend bool operator==(const topic_plan&, const topic_plan&) = default;
};

enum class behaviour : std::uint8_t {
    automatic,     // reads everything, the library commits
    commits,       // reads everything, commits and waits
    commits_async, // reads everything, commits without waiting
    commits_each,  // commits every so many records by name
    breaks,        // leaves loops in the middle, keeps records over the next poll
    by_partition,  // takes partitions apart and reads them in turns
    wanders,       // seeks, pauses, resumes and asks as it goes
    asks,          // a question or a commit between polls, whether anything was read or not
};
std::string_view to_string(behaviour how) noexcept;

struct consumer_plan {
    bool in_group = true;
    bool has_group = false;   // assigns by hand, and commits to a group of its own
    bool is_static = false;
    bool by_pattern = false;  // subscribes to what a pattern matches
    behaviour how = behaviour::automatic;
    bool read_committed = true;
    bool from_earliest = true;
    bool never_resets = false;  // without a position it stands still until it seeks
    bool has_listener = false;
    bool asks_in_between = false;  // also while it is not subscribed to anything
    bool seeks_to_committed = false;  // seeks lead there, with the epoch of what was committed, unless to the beginning
    base::duration poll = std::chrono::seconds(1);
    base::duration work{};  // on each poll's records
    std::int32_t max_poll_records = 0;  // 0: not set
    base::duration fetch_max_wait = std::chrono::milliseconds(500);
    base::duration retry_backoff = std::chrono::milliseconds(100);
    base::duration auto_commit_interval = std::chrono::seconds(5);
    base::duration max_poll_interval = std::chrono::minutes(5);
    base::duration request_timeout = std::chrono::seconds(30);
    base::duration metadata_max_age = std::chrono::minutes(5);
    base::duration connections_max_idle = std::chrono::minutes(9);
    std::int64_t memory_limit = std::int64_t{64} * 1024 * 1024;
    friend bool operator==(const consumer_plan&, const consumer_plan&) = default;
};

// It belongs to some group, and can commit.
constexpr bool may_commit(const consumer_plan& one) noexcept { return one.in_group || one.has_group; }

struct fault_plan {
    std::uint64_t seed = 1;
    std::string profile = "group";
    base::duration runs = std::chrono::minutes(5);
    base::duration calm = std::chrono::minutes(2);  // at the end of it: whatever lasts is over
    std::int32_t brokers = 1;
    base::duration idle_limit{};  // of connections that ask nothing; zero: none
    bool idle_is_forgotten = false;  // by something on the way, and nobody is told; or brokers close them
    std::vector<topic_plan> topics;
    std::vector<consumer_plan> consumers;
    std::vector<fault> faults;  // by their instants
    friend bool operator==(const fault_plan&, const fault_plan&) = default;
};

// One line per fact: "seed=17", "topic name=orders partitions=4", "fault at=12.5s stop_broker broker=2 lasts=10s".
// What is at its default is left out.
std::string to_string(const fault& what);
std::string to_string(const fault_plan& plan);
// The error names the line and what is wrong with it.
result<fault_plan> parse_plan(std::string_view text);

}  // namespace strandline::testkit::sim
