// Requests as the stories write them: what is usual has its usual value.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/messages/all.hpp"
#include "records/batch_builder.hpp"
#include "tests/conformance/broker/story.hpp"

namespace strandline::conformance::broker {

namespace messages = protocol::messages;

inline std::vector<protocol::partition_index> indexes(std::initializer_list<std::int32_t> numbers) {
    std::vector<protocol::partition_index> made;
    for (const auto number : numbers) made.emplace_back(number);
    return made;
}

// ---- topics

using topic_config = std::pair<std::string, std::string>;

messages::create_topics_request create(const std::string& name, std::int32_t partitions = 1,
                                       const std::vector<topic_config>& configs = {});
messages::metadata_request metadata_of(const std::vector<std::string>& names, bool may_create = false);
messages::metadata_request metadata_by_id(protocol::topic_id id);
// Made, and led: what a story of a topic begins with. The topic's id gets the topic's name.
std::vector<step> with_topic(const std::string& name, std::int32_t partitions = 1,
                             const std::vector<topic_config>& configs = {});

// ---- records

// Timestamps are 1,000, 1,001 and so on.
base::shared_bytes batch(const std::vector<std::string>& values, const records::batch_options& options = {},
                         std::int64_t first_timestamp = 1000);
// A record of that many bytes.
inline base::shared_bytes large_batch(std::size_t bytes) { return batch({std::string(bytes, 'x')}); }
messages::produce_request produce(const std::string& topic, base::shared_bytes records, std::int32_t partition = 0);
messages::produce_request produce_in(const std::string& transaction, const std::string& topic,
                                     base::shared_bytes records, std::int32_t partition = 0);
records::batch_options idempotent(const known& facts, const std::string& producer, std::int16_t epoch,
                                  std::int32_t sequence);
records::batch_options transactional(const known& facts, const std::string& producer, std::int16_t epoch,
                                     std::int32_t sequence);

// ---- reading

struct fetching {
    std::int64_t from = 0;
    std::int32_t partition = 0;
    std::int32_t max_wait_ms = 0;
    std::int32_t min_bytes = 1;
    std::int32_t max_bytes = 1 << 20;
    std::int32_t partition_max_bytes = 1 << 20;
    bool committed = false;
    std::int32_t session = 0;
    std::int32_t session_epoch = -1;
    std::int32_t leader_epoch = -1;
    std::int32_t last_fetched_epoch = -1;
};
// By name: to be sent in version 12 at most.
messages::fetch_request fetch(const std::string& topic, const fetching& how = {});
// By id: version 13 and up.
messages::fetch_request fetch(protocol::topic_id topic, const fetching& how = {});
// What a session goes on with: nothing but itself.
messages::fetch_request fetch_more(std::int32_t session, std::int32_t session_epoch, const fetching& how = {});

messages::list_offsets_request list_offset(const std::string& topic, std::int64_t timestamp, bool committed = false,
                                           std::int32_t leader_epoch = -1, std::int32_t partition = 0);
messages::offset_for_leader_epoch_request end_of_epoch(const std::string& topic, std::int32_t epoch,
                                                       std::int32_t current_leader_epoch = -1,
                                                       std::int32_t partition = 0);

// ---- groups

messages::find_coordinator_request coordinator(const std::string& key, std::int8_t type = 0);
// As soon as there is one; of a group unless told otherwise.
step coordinator_found(const std::string& key, std::int8_t type = 0);
// A topic for members to join for. The coordinator learns of it a little later than everybody else, and whoever joins
// before then is given an epoch more, if it can join again at all.
std::vector<step> with_topic_known_to_groups(const std::string& topic, std::int32_t partitions);

struct beating {
    std::int32_t epoch = 0;
    std::vector<std::string> names = {};
    bool names_told = true;
    std::optional<std::string> pattern = {};
    std::optional<std::string> instance = {};
    std::optional<std::string> assignor = {};
    std::int32_t rebalance_timeout_ms = 30'000;
    std::optional<std::vector<messages::consumer_group_heartbeat_request::topic_partitions_value>> owned =
        std::vector<messages::consumer_group_heartbeat_request::topic_partitions_value>{};
};
// As a member that says everything about itself.
messages::consumer_group_heartbeat_request heartbeat(const std::string& group, const std::string& member,
                                                     const beating& how);
// As one with nothing to tell.
messages::consumer_group_heartbeat_request short_heartbeat(const std::string& group, const std::string& member,
                                                           std::int32_t epoch);
messages::consumer_group_heartbeat_request::topic_partitions_value owned(protocol::topic_id topic,
                                                                         std::initializer_list<std::int32_t> numbers);

struct committing {
    std::string member = {};
    std::int32_t epoch = -1;
    std::int32_t partition = 0;
    std::optional<std::string> metadata = "";
    std::int32_t leader_epoch = -1;
    std::optional<std::string> instance = {};
};
messages::offset_commit_request commit(const std::string& group, const std::string& topic, std::int64_t offset,
                                       const committing& how = {});
// Version 8 or 9.
messages::offset_fetch_request committed(const std::string& group, const std::string& topic,
                                         std::optional<std::string> member = {}, std::int32_t epoch = -1,
                                         bool require_stable = false);
messages::offset_fetch_request everything_committed(const std::string& group);

// ---- transactions

messages::init_producer_id_request init_producer(std::optional<std::string> transaction,
                                                 std::int32_t timeout_ms = 60'000,
                                                 protocol::producer_id id = protocol::producer_id(-1),
                                                 std::int16_t epoch = -1);
messages::add_partitions_to_txn_request add_partition(const std::string& transaction, protocol::producer_id producer,
                                                      std::int16_t epoch, const std::string& topic,
                                                      std::int32_t partition = 0);
messages::end_txn_request end_transaction(const std::string& transaction, protocol::producer_id producer,
                                          std::int16_t epoch, bool commit);

}  // namespace strandline::conformance::broker
