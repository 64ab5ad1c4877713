// Offsets of groups: committed, fetched, deleted.
#include "tests/conformance/broker/requests.hpp"
#include "tests/conformance/broker/stories.hpp"

namespace strandline::conformance::broker {

namespace {

using owned_partitions = std::vector<messages::consumer_group_heartbeat_request::topic_partitions_value>;

const auto nobodys_id = *base::uuid::parse("AAAAAAAAAAAAAAAAAAAAAg");

messages::offset_commit_request with_id(messages::offset_commit_request request, protocol::topic_id id) {
    request.topics[0].name.clear();
    request.topics[0].topic_id = id;
    return request;
}

messages::offset_fetch_request with_id(messages::offset_fetch_request request, protocol::topic_id id) {
    (*request.groups[0].topics)[0].name.clear();
    (*request.groups[0].topics)[0].topic_id = id;
    return request;
}

// Before version 8, of one group.
messages::offset_fetch_request committed_long_ago(const std::string& group, const std::string& topic) {
    messages::offset_fetch_request request;
    request.group_id = group;
    auto& named = request.topics->emplace_back();
    named.name = topic;
    named.partition_indexes = indexes({0, 1});
    return request;
}

messages::offset_fetch_request everything_committed_long_ago(const std::string& group) {
    messages::offset_fetch_request request;
    request.group_id = group;
    request.topics = std::nullopt;
    return request;
}

messages::offset_fetch_request of_two_groups(messages::offset_fetch_request first,
                                             const messages::offset_fetch_request& second) {
    first.groups.push_back(second.groups[0]);
    return first;
}

messages::offset_delete_request deletion(const std::string& group, const std::string& topic,
                                         std::initializer_list<std::int32_t> partitions = {0}) {
    messages::offset_delete_request request;
    request.group_id = group;
    auto& named = request.topics.emplace_back();
    named.name = topic;
    for (const auto index : partitions)
        named.partitions.emplace_back().partition_index = protocol::partition_index(index);
    return request;
}

std::vector<story> outside_stories() {
    return {
        {"offsets that are committed from outside",
         joined(with_topic("committed", 2),
                {coordinator_found("outside"),
                 step("nothing yet", 8, committed("outside", "committed")),
                 step("nothing at all", 8, everything_committed("outside")),
                 step("the first", 8, commit("outside", "committed", 5)),
                 step("it is there", 8, committed("outside", "committed")),
                 step("with words and an epoch", 8,
                      commit("outside", "committed", 7, {.partition = 1, .metadata = "words", .leader_epoch = 3})),
                 step("both are there", 9, committed("outside", "committed")),
                 step("all of them", 8, everything_committed("outside")).in_any_order(),
                 step("all of them, long ago", 7, everything_committed_long_ago("outside")).in_any_order(),
                 step("some, long ago", 5, committed_long_ago("outside", "committed")),
                 step("some, very long ago", 1, committed_long_ago("outside", "committed")),
                 step("lower again", 8, commit("outside", "committed", 2)),
                 step("minus one", 8, commit("outside", "committed", -1)),
                 step("which is there", 8, committed("outside", "committed")),
                 step("without words", 8, commit("outside", "committed", 3, {.metadata = std::nullopt})),
                 step("long ago", 2, commit("outside", "committed", 4)),
                 step("in the version of members", 9, commit("outside", "committed", 6)),
                 step("and that is there", 9, committed("outside", "committed")),
                 step("too many words", 8, commit("outside", "committed", 8, {.metadata = std::string(4097, 'w')})),
                 step("words enough", 8, commit("outside", "committed", 8, {.metadata = std::string(4096, 'w')})),
                 step("of a topic nobody has", 8, commit("outside", "nobody-made-it", 1)),
                 step("of a partition nobody has", 8, commit("outside", "committed", 1, {.partition = 5})),
                 step("a topic nobody has is asked for", 8, committed("outside", "nobody-made-it")),
                 step("of a group without a name", 8, commit("", "committed", 1)),
                 step("by a member nobody knows", 8, commit("outside", "committed", 1, {.member = "stranger"})),
                 step("in a generation nobody knows", 8,
                      commit("outside", "committed", 1, {.member = "stranger", .epoch = 3})),
                 step("in an epoch nobody knows", 9,
                      commit("outside", "committed", 1, {.member = "stranger", .epoch = 3})),
                 step("a stranger asks", 9, committed("outside", "committed", "stranger", 3)),
                 step("of two groups at once", 8,
                      of_two_groups(committed("outside", "committed"), committed("nobodys-group", "committed"))),
                 step("in a group nobody has, in an epoch", 9,
                      commit("nobodys-group", "committed", 1, {.member = "stranger", .epoch = 3})),
                 step("in a group nobody has, in a generation", 8,
                      commit("nobodys-group", "committed", 1, {.member = "stranger", .epoch = 3})),
                 step("a member of a group nobody has asks", 9, committed("nobodys-group", "committed", "stranger", 3)),
                 step("a group without a name", 8, committed("", "committed"))})},
        {"offsets of no group",
         {coordinator_found("nobodys-group"), step("asked for", 8, messages::offset_fetch_request{})},
         // Older ones do not answer.
         "4.2.0"},
        {"offsets by the topic's id",
         joined(
             with_topic("by-their-id", 2),
             {coordinator_found("with-ids"),
              step("committed", 10,
                   [](const known& k) { return with_id(commit("with-ids", "", 5), k.id("by-their-id")); }),
              step("there", 10, [](const known& k) { return with_id(committed("with-ids", ""), k.id("by-their-id")); }),
              step("also by name", 9, committed("with-ids", "by-their-id")),
              step("all of them", 10, everything_committed("with-ids")).in_any_order(),
              step("of an id nobody has", 10, with_id(commit("with-ids", "", 5), nobodys_id)),
              step("an id nobody has is asked for", 10, with_id(committed("with-ids", ""), nobodys_id)),
              step("of no id", 10, with_id(commit("with-ids", "", 5), protocol::topic_id{}))}),
         "4.1.0"},
    };
}

std::vector<story> member_stories() {
    const auto epoch = [](const known& k) { return k.int32("epoch"); };
    return {
        {"offsets that a member commits",
         joined(
             with_topic_known_to_groups("member-topic", 2),
             {coordinator_found("committing"),
              step("joins", 1, heartbeat("committing", "member-a", {.names = {"member-topic"}}))
                  .until("/assignment/topicPartitions/0/partitions/1", 1)
                  .keeps("epoch", "/memberEpoch"),
              step("commits", 9,
                   [=](const known& k) {
                       return commit("committing", "member-topic", 5, {.member = "member-a", .epoch = epoch(k)});
                   }),
              step("asks", 9,
                   [=](const known& k) { return committed("committing", "member-topic", "member-a", epoch(k)); }),
              step("in a later epoch", 9, commit("committing", "member-topic", 6, {.member = "member-a", .epoch = 77})),
              step("asks in a later epoch", 9, committed("committing", "member-topic", "member-a", 77)),
              step("in no epoch", 9, commit("committing", "member-topic", 6, {.member = "member-a", .epoch = -1})),
              step("as a client that knows generations", 8,
                   [=](const known& k) {
                       return commit("committing", "member-topic", 6, {.member = "member-a", .epoch = epoch(k)});
                   }),
              step("a stranger", 9,
                   [=](const known& k) {
                       return commit("committing", "member-topic", 6, {.member = "stranger", .epoch = epoch(k)});
                   }),
              step("a stranger asks", 9,
                   [=](const known& k) { return committed("committing", "member-topic", "stranger", epoch(k)); }),
              step("somebody from outside", 9, commit("committing", "member-topic", 6)),
              step("somebody from outside, before there were members", 8, commit("committing", "member-topic", 6)),
              step("an administrator asks", 9, committed("committing", "member-topic")),
              step("an administrator asks, long ago", 7, committed_long_ago("committing", "member-topic")),
              step("the offsets cannot be deleted", 0, deletion("committing", "member-topic")),
              step("leaves", 1, short_heartbeat("committing", "member-a", -1)),
              step("commits once more", 9,
                   [=](const known& k) {
                       return commit("committing", "member-topic", 7, {.member = "member-a", .epoch = epoch(k)});
                   }),
              step("somebody from outside, of the empty group", 9, commit("committing", "member-topic", 8)),
              step("which is there", 9, committed("committing", "member-topic"))})},
        {"offsets of an epoch before",
         joined(joined(with_topic_known_to_groups("older", 2), with_topic_known_to_groups("newer", 1)),
                {coordinator_found("lagging"),
                 step("joins", 1, heartbeat("lagging", "member-a", {.names = {"older"}}))
                     .until("/assignment/topicPartitions/0/partitions/1", 1)
                     .keeps("epoch", "/memberEpoch"),
                 step("wants more", 1,
                      [=](const known& k) {
                          return heartbeat("lagging", "member-a",
                                           {.epoch = epoch(k),
                                            .names = {"older", "newer"},
                                            .owned = owned_partitions{owned(k.id("older"), {0, 1})}});
                      })

                     .until("/assignment/topicPartitions/1/partitions/0", 0)
                     .in_any_order(),
                 step("commits in the old epoch", 9,
                      [=](const known& k) {
                          return commit("lagging", "older", 5, {.member = "member-a", .epoch = epoch(k)});
                      }),
                 step("asks in the old epoch", 9,
                      [=](const known& k) { return committed("lagging", "older", "member-a", epoch(k)); }),
                 step("leaves", 1, short_heartbeat("lagging", "member-a", -1))}),
         "4.4.0"},
    };
}

std::vector<story> deletion_stories() {
    return {
        {"offsets are deleted",
         joined(
             with_topic("forgotten", 2),
             {coordinator_found("forgetting"), step("of a group nobody has", 0, deletion("nobodys-group", "forgotten")),
              step("of a group without a name", 0, deletion("", "forgotten")),
              step("committed", 8, commit("forgetting", "forgotten", 5)),
              step("committed, the other one", 8, commit("forgetting", "forgotten", 6, {.partition = 1})),
              step("deleted", 0, deletion("forgetting", "forgotten")),
              step("gone", 8, committed("forgetting", "forgotten")),
              step("one that is not there any more", 0, deletion("forgetting", "forgotten")),
              step("of a topic nobody has", 0, deletion("forgetting", "nobody-made-it")),
              step("of a partition nobody has", 0, deletion("forgetting", "forgotten", {1, 5})).in_any_order(),
              step("all are gone", 8, everything_committed("forgetting"))})},
        {"offsets go with their topic",
         joined(with_topic("leaving-topic", 1),
                {coordinator_found("left-behind"), step("committed", 8, commit("left-behind", "leaving-topic", 5)),
                 step("the topic is deleted", 5,
                      [] {
                          messages::delete_topics_request request;
                          request.topic_names = {"leaving-topic"};
                          request.timeout_ms = 10'000;
                          return request;
                      }()),
                 step("then they are gone", 8, committed("left-behind", "leaving-topic"))
                     .until("/groups/0/topics/0/partitions/0/committedOffset", -1)})},
    };
}

}  // namespace

std::vector<story> offset_stories() {
    auto all = outside_stories();
    for (auto* some : {&member_stories, &deletion_stories}) {
        for (auto& one : some()) all.push_back(std::move(one));
    }
    return all;
}

}  // namespace strandline::conformance::broker
