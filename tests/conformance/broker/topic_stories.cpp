// Topics: made, described, enlarged, emptied, deleted.
#include "tests/conformance/broker/requests.hpp"
#include "tests/conformance/broker/stories.hpp"

namespace strandline::conformance::broker {

namespace {

using protocol::broker_id;
using protocol::partition_index;

const std::string too_long(250, 'n');

messages::create_topics_request create_with(const std::string& name, std::int32_t partitions,
                                            std::int16_t replication) {
    auto request = create(name, partitions);
    request.topics[0].replication_factor = replication;
    return request;
}

messages::create_topics_request create_by_hand(
    const std::string& name, const std::vector<std::pair<std::int32_t, std::vector<int>>>& assignments,
    std::int32_t partitions = -1) {
    auto request = create_with(name, partitions, -1);
    for (const auto& [index, brokers] : assignments) {
        auto& made = request.topics[0].assignments.emplace_back();
        made.partition_index = partition_index(index);
        for (const auto id : brokers) made.broker_ids.emplace_back(id);
    }
    return request;
}

messages::create_topics_request only_checked(messages::create_topics_request request) {
    request.validate_only = true;
    return request;
}

messages::create_topics_request twice(messages::create_topics_request request) {
    request.topics.push_back(request.topics[0]);
    return request;
}

messages::delete_topics_request delete_named(const std::string& name) {
    messages::delete_topics_request request;
    request.topics.emplace_back().name = name;
    request.timeout_ms = 10'000;
    return request;
}

messages::delete_topics_request delete_by_id(protocol::topic_id id, std::optional<std::string> name = std::nullopt) {
    messages::delete_topics_request request;
    auto& topic = request.topics.emplace_back();
    topic.topic_id = id;
    topic.name = std::move(name);
    request.timeout_ms = 10'000;
    return request;
}

messages::delete_topics_request delete_names(std::vector<std::string> names) {
    messages::delete_topics_request request;
    request.topic_names = std::move(names);
    request.timeout_ms = 10'000;
    return request;
}

messages::create_partitions_request enlarge(const std::string& name, std::int32_t count,
                                            std::optional<std::vector<std::vector<int>>> assignments = {},
                                            bool only_check = false) {
    messages::create_partitions_request request;
    request.timeout_ms = 10'000;
    request.validate_only = only_check;
    auto& topic = request.topics.emplace_back();
    topic.name = name;
    topic.count = count;
    topic.assignments = std::nullopt;
    if (assignments) {
        topic.assignments.emplace();
        for (const auto& brokers : *assignments) {
            auto& made = topic.assignments->emplace_back();
            for (const auto id : brokers) made.broker_ids.emplace_back(id);
        }
    }
    return request;
}

messages::create_partitions_request twice(messages::create_partitions_request request) {
    request.topics.push_back(request.topics[0]);
    return request;
}

messages::delete_records_request delete_records(const std::string& topic, std::int64_t before,
                                                std::int32_t partition = 0) {
    messages::delete_records_request request;
    request.timeout_ms = 10'000;
    auto& named = request.topics.emplace_back();
    named.name = topic;
    auto& asked = named.partitions.emplace_back();
    asked.partition_index = partition_index(partition);
    asked.offset = before;
    return request;
}

messages::describe_topic_partitions_request partitions_of(std::vector<std::string> names, std::int32_t limit = 2000) {
    messages::describe_topic_partitions_request request;
    request.response_partition_limit = limit;
    for (auto& name : names) request.topics.emplace_back().name = std::move(name);
    return request;
}

messages::describe_topic_partitions_request partitions_from(std::vector<std::string> names, std::int32_t limit,
                                                            const std::string& topic, std::int32_t index) {
    auto request = partitions_of(std::move(names), limit);
    request.cursor.emplace();
    request.cursor->topic_name = topic;
    request.cursor->partition_index = partition_index(index);
    return request;
}

messages::metadata_request with_operations(messages::metadata_request request) {
    request.include_topic_authorized_operations = true;
    return request;
}

messages::metadata_request with_cluster_operations(messages::metadata_request request) {
    request.include_cluster_authorized_operations = true;
    return request;
}

std::vector<story> metadata_stories() {
    messages::metadata_request all;
    all.topics = std::nullopt;
    auto by_both = metadata_by_id(protocol::topic_id{});
    return {
        {"metadata of a topic",
         joined(with_topic("described", 2),
                {step("first version", 0, metadata_of({"described"}, true)).in_any_order(),
                 step("with a controller", 1, metadata_of({"described"}, true)).in_any_order(),
                 step("with leader epochs", 7, metadata_of({"described"})).in_any_order(),
                 step("with operations", 10, with_operations(metadata_of({"described"}))).in_any_order(),
                 step("with the cluster's operations", 8, with_cluster_operations(metadata_of({"described"})))
                     .in_any_order(),
                 step("newest", 13, metadata_of({"described"})).in_any_order(),
                 step("asked twice", 12, metadata_of({"described", "described"})).in_any_order(),
                 step("by its id", 12, [](const known& k) { return metadata_by_id(k.id("described")); }).in_any_order(),
                 step("of no topic", 12, metadata_of({}))}),
         "4.0.0"},
        {"metadata of what does not exist",
         {step("a name", 12, metadata_of({"nobody-made-it"})),
          step("an old client, a name", 5, metadata_of({"nobody-made-it"})),
          step("an id", 12, metadata_by_id(*base::uuid::parse("AAAAAAAAAAAAAAAAAAAAAg"))),
          step("neither a name nor an id", 12, by_both), step("an empty name", 12, metadata_of({""})),
          step("a dot", 12, metadata_of({"."})), step("two dots", 12, metadata_of({".."})),
          step("a blank in it", 12, metadata_of({"a b"})), step("250 characters", 12, metadata_of({too_long}))}},
        {"a topic is made by asking for it",
         {step("not unless that is wished", 12, metadata_of({"wished-for"})),
          step("wished", 12, metadata_of({"wished-for"}, true)),
          step("then it is there", 12, metadata_of({"wished-for"}))
              .until("/topics/0/errorCode", 0)
              .until("/topics/0/partitions/0/errorCode", 0)
              .learns("wished-for", "/topics/0/topicId"),
          step("but none with such a name", 12, metadata_of({"wished for"}, true)),
          step("an old client cannot wish otherwise", 3, metadata_of({"wished-by-the-old"}, true))}},
    };
}

std::vector<story> creation_stories() {
    return {
        {"topics that can be made",
         {step("as asked", 7, create("made", 3)).differs({"configs"}).learns("made", "/topics/0/topicId"),
          step("before ids", 5, create("made-5", 1)).differs({"configs"}), step("long ago", 2, create("made-2", 1)),
          step("as many partitions as the broker likes", 4, create_with("made-4", -1, -1)),
          step("on brokers by hand", 7, create_by_hand("made-by-hand", {{0, {1}}, {1, {1}}}))
              .differs({"configs"})
              .learns("made-by-hand", "/topics/0/topicId"),
          step("only to see whether it could be", 7, only_checked(create("unmade", 2))).differs({"configs", "topicId"}),
          step("which makes nothing", 12, metadata_of({"unmade"})),
          step("with configs", 7, create("configured", 1, {{"retention.ms", "1000"}}))
              .differs({"configs"})
              .learns("configured", "/topics/0/topicId")}},
        {"topics that cannot be made",
         {step("one that is there", 7, create("made", 3)),
          step("an empty name", 7, create("")),
          step("a dot", 7, create(".")),
          step("a blank in it", 7, create("a b")),
          step("250 characters", 7, create(too_long)),
          step("no partitions", 7, create("impossible", 0)),
          step("minus two partitions", 7, create("impossible", -2)),
          step("no replicas", 7, create_with("impossible", 1, 0)),
          step("more replicas than brokers", 7, create_with("impossible", 1, 3)),
          step("twice at once", 7, twice(create("impossible"))),
          step("by hand and by number", 7, create_by_hand("impossible", {{0, {1}}}, 1)),
          step("by hand, a hole", 7, create_by_hand("impossible", {{0, {1}}, {2, {1}}})),
          step("by hand, twice the same", 7, create_by_hand("impossible", {{0, {1}}, {0, {1}}})),
          step("by hand, on a broker nobody knows", 7, create_by_hand("impossible", {{0, {9}}})),
          step("by hand, on no broker", 7, create_by_hand("impossible", {{0, {}}})),
          step("by hand, twice on one broker", 7, create_by_hand("impossible", {{0, {1, 1}}})),
          step("by hand, replicas in different numbers", 7, create_by_hand("impossible", {{0, {1}}, {1, {1, 2}}})),
          step("a config nobody knows", 7, create("impossible", 1, {{"no.such.config", "1"}})),
          step("a number that is none", 7, create("impossible", 1, {{"retention.ms", "soon"}})),
          step("a number too small", 7, create("impossible", 1, {{"min.insync.replicas", "0"}})),
          step("a policy that is none", 7, create("impossible", 1, {{"cleanup.policy", "burn"}})),
          step("names that look alike, the first", 7, create("look.alike")).differs({"configs", "topicId"}),
          step("names that look alike, the second", 7, create("look_alike"))}},
    };
}

std::vector<story> deletion_stories() {
    return {
        {"topics are deleted",
         joined(with_topic("doomed"),
                {step("by name", 6, delete_named("doomed")),
                 step("then it is gone", 12, metadata_of({"doomed"})).until("/topics/0/errorCode", 3),
                 step("and cannot be deleted again", 6, delete_named("doomed"))})},
        {"topics are deleted by id",
         joined(with_topic("doomed-by-id"),
                {step("with its name as well", 6,
                      [](const known& k) { return delete_by_id(k.id("doomed-by-id"), "doomed-by-id"); }),
                 step("by id", 6, [](const known& k) { return delete_by_id(k.id("doomed-by-id")); }),
                 step("then the id is gone", 12, [](const known& k) { return metadata_by_id(k.id("doomed-by-id")); })
                     .until("/topics/0/errorCode", 100),
                 step("and cannot be deleted again", 6,
                      [](const known& k) { return delete_by_id(k.id("doomed-by-id")); })})},
        {"a topic made again is another one",
         joined(
             joined(with_topic("again"), {step("deleted", 5, delete_names({"again"})),
                                          step("gone", 12, metadata_of({"again"})).until("/topics/0/errorCode", 3)}),
             {step("made again", 7, create("again", 2)).differs({"configs"}).learns("again-again", "/topics/0/topicId"),
              step("until it is led", 12, metadata_of({"again"}))
                  .until("/topics/0/errorCode", 0)
                  .until("/topics/0/partitions/1/errorCode", 0)
                  .in_any_order(),
              step("the old id is unknown", 12, [](const known& k) { return metadata_by_id(k.id("again")); }),
              step("and so it is to a reader", 16, [](const known& k) { return fetch(k.id("again")); })})},
        {"what cannot be deleted",
         {step("a name nobody has", 6, delete_named("nobody-made-it")),
          step("a name nobody has, long ago", 1, delete_names({"nobody-made-it"})),
          step("an id nobody has", 6, delete_by_id(*base::uuid::parse("AAAAAAAAAAAAAAAAAAAAAg"))),
          step("neither name nor id", 6, delete_by_id(protocol::topic_id{}))}},
    };
}

std::vector<story> partition_stories() {
    return {
        {"a topic gets more partitions",
         joined(
             with_topic("growing", 2),
             {step("only to see whether it could", 3, enlarge("growing", 3, {}, true)),
              step("as many as it has", 3, enlarge("growing", 2)), step("fewer", 3, enlarge("growing", 1)),
              step("none", 3, enlarge("growing", 0)), step("of a topic nobody has", 3, enlarge("nobody-made-it", 3)),
              step("twice at once", 3, twice(enlarge("growing", 3))),
              step("by hand, too few", 3, enlarge("growing", 4, std::vector<std::vector<int>>{{1}})),
              step("by hand, on a broker nobody knows", 3, enlarge("growing", 3, std::vector<std::vector<int>>{{9}})),
              step("by hand, on no broker", 3, enlarge("growing", 3, std::vector<std::vector<int>>{{}})),
              step("more", 3, enlarge("growing", 3)),
              step("by hand", 1, enlarge("growing", 4, std::vector<std::vector<int>>{{1}})),
              step("then they are there", 12, metadata_of({"growing"}))
                  .until("/topics/0/partitions/3/errorCode", 0)
                  .in_any_order()})},
        {"partitions in pages",
         joined(joined(with_topic("paged-a", 3), with_topic("paged-b", 2)),
                {step("of two topics", 0, partitions_of({"paged-b", "paged-a"})),
                 step("two at most", 0, partitions_of({"paged-a", "paged-b"}, 2)),
                 step("from there on", 0, partitions_from({"paged-a", "paged-b"}, 2, "paged-a", 2)),
                 step("to the end", 0, partitions_from({"paged-a", "paged-b"}, 2, "paged-b", 1)),
                 step("a whole topic and not one more", 0, partitions_of({"paged-a", "paged-b"}, 3)),
                 step("from a topic between", 0, partitions_from({"paged-a", "paged-b"}, 9, "paged-ab", 0)),
                 step("from beyond its end", 0, partitions_from({"paged-a", "paged-b"}, 9, "paged-a", 7)),
                 step("none at most", 0, partitions_of({"paged-a"}, 0)),
                 step("a topic nobody has", 0, partitions_of({"nobody-made-it", "paged-a"})),
                 step("a name that is none", 0, partitions_of({"a b"}))})},
    };
}

std::vector<story> record_deletion_stories() {
    return {
        {"records are deleted",
         joined(with_topic("shortened", 1),
                {step("three records", 9, produce("shortened", batch({"a", "b", "c"}))),
                 step("two more", 9, produce("shortened", batch({"d", "e"}))),
                 step("before the second", 2, delete_records("shortened", 1)),
                 step("before where it begins", 2, delete_records("shortened", 0)),
                 step("beyond its end", 2, delete_records("shortened", 6)),
                 step("minus two", 2, delete_records("shortened", -2)),
                 step("of a topic nobody has", 2, delete_records("nobody-made-it", 1)),
                 step("of a partition nobody has", 1, delete_records("shortened", 1, 9)),
                 step("a reader from the old begin", 12, fetch("shortened")),
                 step("a reader from the new begin gets the whole batch", 12, fetch("shortened", {.from = 1})),
                 step("the begin", 7, list_offset("shortened", -2)),
                 step("a time before the begin", 7, list_offset("shortened", 1000)),
                 step("everything", 0, delete_records("shortened", -1)),
                 step("then nothing is left", 12, fetch("shortened", {.from = 5})),
                 step("and its begin is its end", 7, list_offset("shortened", -2)),
                 step("which is still the end", 7, list_offset("shortened", -1)),
                 step("and no time is in it", 7, list_offset("shortened", 0))})},
    };
}

}  // namespace

std::vector<story> topic_stories() {
    auto all = metadata_stories();
    for (auto* some : {&creation_stories, &deletion_stories, &partition_stories, &record_deletion_stories}) {
        for (auto& one : some()) all.push_back(std::move(one));
    }
    return all;
}

}  // namespace strandline::conformance::broker
