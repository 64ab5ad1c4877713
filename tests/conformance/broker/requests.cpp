#include "tests/conformance/broker/requests.hpp"

namespace strandline::conformance::broker {

using protocol::partition_index;

messages::create_topics_request create(const std::string& name, std::int32_t partitions,
                                       const std::vector<topic_config>& configs) {
    messages::create_topics_request request;
    auto& topic = request.topics.emplace_back();
    topic.name = name;
    topic.num_partitions = partitions;
    topic.replication_factor = 1;
    for (const auto& [key, value] : configs) {
        auto& config = topic.configs.emplace_back();
        config.name = key;
        config.value = value;
    }
    return request;
}

messages::metadata_request metadata_of(const std::vector<std::string>& names, bool may_create) {
    messages::metadata_request request;
    for (const auto& name : names) request.topics->emplace_back().name = name;
    request.allow_auto_topic_creation = may_create;
    return request;
}

messages::metadata_request metadata_by_id(protocol::topic_id id) {
    messages::metadata_request request;
    auto& topic = request.topics->emplace_back();
    topic.name = std::nullopt;
    topic.topic_id = id;
    request.allow_auto_topic_creation = false;
    return request;
}

std::vector<step> with_topic(const std::string& name, std::int32_t partitions,
                             const std::vector<topic_config>& configs) {
    // The order of a topic's partitions in Metadata means nothing.
    std::vector<step> steps{step("create " + name, 7, create(name, partitions, configs))
                                .differs({"configs"})
                                .learns(name, "/topics/0/topicId"),
                            step("until " + name + " is led", 12, metadata_of({name}))
                                .until("/topics/0/errorCode", 0)
                                .until("/topics/0/partitions/" + std::to_string(partitions - 1) + "/errorCode", 0)
                                .in_any_order()};
    // Metadata knows a partition before its broker serves it.
    for (std::int32_t index = 0; index < partitions; ++index) {
        steps.push_back(
            step("until partition " + std::to_string(index) + " serves", 7, list_offset(name, -1, false, -1, index))
                .until("/topics/0/partitions/0/errorCode", 0));
    }
    return steps;
}

base::shared_bytes batch(const std::vector<std::string>& values, const records::batch_options& options,
                         std::int64_t first_timestamp) {
    records::batch_builder builder(options);
    for (const auto& value : values) {
        builder.append({.timestamp = first_timestamp++, .value = base::as_bytes(value)});
    }
    return builder.build();
}

messages::produce_request produce(const std::string& topic, base::shared_bytes records, std::int32_t partition) {
    messages::produce_request request;
    request.acks = -1;
    request.timeout_ms = 10'000;
    auto& named = request.topic_data.emplace_back();
    named.name = topic;
    auto& data = named.partition_data.emplace_back();
    data.index = partition_index(partition);
    data.records = std::move(records);
    return request;
}

messages::produce_request produce_in(const std::string& transaction, const std::string& topic,
                                     base::shared_bytes records, std::int32_t partition) {
    auto request = produce(topic, std::move(records), partition);
    request.transactional_id = transaction;
    return request;
}

records::batch_options idempotent(const known& facts, const std::string& producer, std::int16_t epoch,
                                  std::int32_t sequence) {
    records::batch_options options;
    options.producer_id = facts.number(producer);
    options.producer_epoch = epoch;
    options.base_sequence = sequence;
    return options;
}

records::batch_options transactional(const known& facts, const std::string& producer, std::int16_t epoch,
                                     std::int32_t sequence) {
    auto options = idempotent(facts, producer, epoch, sequence);
    options.transactional = true;
    return options;
}

namespace {

messages::fetch_request fetch_with(const fetching& how) {
    messages::fetch_request request;
    request.max_wait_ms = how.max_wait_ms;
    request.min_bytes = how.min_bytes;
    request.max_bytes = how.max_bytes;
    request.isolation_level = how.committed ? 1 : 0;
    request.session_id = how.session;
    request.session_epoch = protocol::session_epoch(how.session_epoch);
    return request;
}

messages::fetch_request::fetch_topic fetched_topic(const fetching& how) {
    messages::fetch_request::fetch_topic topic;
    auto& partition = topic.partitions.emplace_back();
    partition.partition = partition_index(how.partition);
    partition.fetch_offset = how.from;
    partition.partition_max_bytes = how.partition_max_bytes;
    partition.current_leader_epoch = protocol::leader_epoch(how.leader_epoch);
    partition.last_fetched_epoch = protocol::leader_epoch(how.last_fetched_epoch);
    return topic;
}

}  // namespace

messages::fetch_request fetch(const std::string& topic, const fetching& how) {
    auto request = fetch_with(how);
    auto& named = request.topics.emplace_back(fetched_topic(how));
    named.topic = topic;
    return request;
}

messages::fetch_request fetch(protocol::topic_id topic, const fetching& how) {
    auto request = fetch_with(how);
    auto& named = request.topics.emplace_back(fetched_topic(how));
    named.topic_id = topic;
    return request;
}

messages::fetch_request fetch_more(std::int32_t session, std::int32_t session_epoch, const fetching& how) {
    auto going_on = how;
    going_on.session = session;
    going_on.session_epoch = session_epoch;
    return fetch_with(going_on);
}

messages::list_offsets_request list_offset(const std::string& topic, std::int64_t timestamp, bool committed,
                                           std::int32_t leader_epoch, std::int32_t partition) {
    messages::list_offsets_request request;
    request.replica_id = protocol::no_broker;
    request.isolation_level = committed ? 1 : 0;
    auto& named = request.topics.emplace_back();
    named.name = topic;
    auto& asked = named.partitions.emplace_back();
    asked.partition_index = partition_index(partition);
    asked.current_leader_epoch = protocol::leader_epoch(leader_epoch);
    asked.timestamp = timestamp;
    return request;
}

messages::offset_for_leader_epoch_request end_of_epoch(const std::string& topic, std::int32_t epoch,
                                                       std::int32_t current_leader_epoch, std::int32_t partition) {
    messages::offset_for_leader_epoch_request request;
    request.replica_id = protocol::no_broker;
    auto& named = request.topics.emplace_back();
    named.topic = topic;
    auto& asked = named.partitions.emplace_back();
    asked.partition = partition_index(partition);
    asked.current_leader_epoch = protocol::leader_epoch(current_leader_epoch);
    asked.leader_epoch = protocol::leader_epoch(epoch);
    return request;
}

messages::find_coordinator_request coordinator(const std::string& key, std::int8_t type) {
    messages::find_coordinator_request request;
    request.key_type = type;
    request.coordinator_keys.push_back(key);
    return request;
}

messages::consumer_group_heartbeat_request heartbeat(const std::string& group, const std::string& member,
                                                     const beating& how) {
    messages::consumer_group_heartbeat_request request;
    request.group_id = group;
    request.member_id = member;
    request.member_epoch = protocol::member_epoch(how.epoch);
    request.instance_id = how.instance;
    request.rebalance_timeout_ms = how.rebalance_timeout_ms;
    if (how.names_told) request.subscribed_topic_names = how.names;
    request.subscribed_topic_regex = how.pattern;
    request.server_assignor = how.assignor;
    request.topic_partitions = how.owned;
    return request;
}

messages::consumer_group_heartbeat_request short_heartbeat(const std::string& group, const std::string& member,
                                                           std::int32_t epoch) {
    messages::consumer_group_heartbeat_request request;
    request.group_id = group;
    request.member_id = member;
    request.member_epoch = protocol::member_epoch(epoch);
    return request;
}

messages::consumer_group_heartbeat_request::topic_partitions_value owned(protocol::topic_id topic,
                                                                         std::initializer_list<std::int32_t> numbers) {
    messages::consumer_group_heartbeat_request::topic_partitions_value made;
    made.topic_id = topic;
    made.partitions = indexes(numbers);
    return made;
}

messages::offset_commit_request commit(const std::string& group, const std::string& topic, std::int64_t offset,
                                       const committing& how) {
    messages::offset_commit_request request;
    request.group_id = group;
    request.member_id = how.member;
    request.generation_id_or_member_epoch = protocol::member_epoch(how.epoch);
    request.group_instance_id = how.instance;
    auto& named = request.topics.emplace_back();
    named.name = topic;
    auto& partition = named.partitions.emplace_back();
    partition.partition_index = partition_index(how.partition);
    partition.committed_offset = offset;
    partition.committed_leader_epoch = protocol::leader_epoch(how.leader_epoch);
    partition.committed_metadata = how.metadata;
    return request;
}

messages::offset_fetch_request committed(const std::string& group, const std::string& topic,
                                         std::optional<std::string> member, std::int32_t epoch, bool require_stable) {
    messages::offset_fetch_request request;
    request.require_stable = require_stable;
    auto& asked = request.groups.emplace_back();
    asked.group_id = group;
    asked.member_id = std::move(member);
    asked.member_epoch = protocol::member_epoch(epoch);
    auto& named = asked.topics->emplace_back();
    named.name = topic;
    named.partition_indexes = indexes({0, 1});
    return request;
}

messages::offset_fetch_request everything_committed(const std::string& group) {
    messages::offset_fetch_request request;
    auto& asked = request.groups.emplace_back();
    asked.group_id = group;
    asked.topics = std::nullopt;
    return request;
}

messages::init_producer_id_request init_producer(std::optional<std::string> transaction, std::int32_t timeout_ms,
                                                 protocol::producer_id id, std::int16_t epoch) {
    messages::init_producer_id_request request;
    request.transactional_id = std::move(transaction);
    request.transaction_timeout_ms = timeout_ms;
    request.producer_id = id;
    request.producer_epoch = epoch;
    return request;
}

messages::add_partitions_to_txn_request add_partition(const std::string& transaction, protocol::producer_id producer,
                                                      std::int16_t epoch, const std::string& topic,
                                                      std::int32_t partition) {
    messages::add_partitions_to_txn_request request;
    request.v3_and_below_transactional_id = transaction;
    request.v3_and_below_producer_id = producer;
    request.v3_and_below_producer_epoch = epoch;
    auto& named = request.v3_and_below_topics.emplace_back();
    named.name = topic;
    named.partitions = indexes({partition});
    return request;
}

messages::end_txn_request end_transaction(const std::string& transaction, protocol::producer_id producer,
                                          std::int16_t epoch, bool commit) {
    messages::end_txn_request request;
    request.transactional_id = transaction;
    request.producer_id = producer;
    request.producer_epoch = epoch;
    request.committed = commit;
    return request;
}

step coordinator_found(const std::string& key, std::int8_t type) {
    return step("the coordinator of " + key, 4, coordinator(key, type)).until("/coordinators/0/errorCode", 0);
}

std::vector<step> with_topic_known_to_groups(const std::string& topic, std::int32_t partitions) {
    const auto group = "awaiting-" + topic;
    return joined(with_topic(topic, partitions), {coordinator_found(group),
                                                  step("a member of another group awaits " + topic, 1,
                                                       heartbeat(group, "member-w", {.names = {topic}}))
                                                      .until("/assignment/topicPartitions/0/partitions/0", 0)
                                                      .differs({"memberEpoch"}),
                                                  step("and leaves", 1, short_heartbeat(group, "member-w", -1))});
}

}  // namespace strandline::conformance::broker
