// Groups by the protocol of KIP-848, and what administrators see and do.
#include "tests/conformance/broker/requests.hpp"
#include "tests/conformance/broker/stories.hpp"

namespace strandline::conformance::broker {

namespace {

using owned_partitions = std::vector<messages::consumer_group_heartbeat_request::topic_partitions_value>;

// How the group looks from outside.
messages::consumer_group_describe_request description(std::vector<std::string> groups) {
    messages::consumer_group_describe_request request;
    request.group_ids = std::move(groups);
    return request;
}

messages::describe_groups_request classic_description(std::vector<std::string> groups) {
    messages::describe_groups_request request;
    request.groups = std::move(groups);
    return request;
}

messages::list_groups_request listing(std::vector<std::string> states = {}, std::vector<std::string> types = {}) {
    messages::list_groups_request request;
    request.states_filter = std::move(states);
    request.types_filter = std::move(types);
    return request;
}

messages::delete_groups_request deletion(std::vector<std::string> groups) {
    messages::delete_groups_request request;
    request.groups_names = std::move(groups);
    return request;
}

std::vector<story> membership_stories() {
    return {
        {"a member joins, beats and leaves",
         joined(
             with_topic_known_to_groups("joined", 2),
             {coordinator_found("joining"),
              step("joins", 1, heartbeat("joining", "member-a", {.names = {"joined"}}))
                  .until("/assignment/topicPartitions/0/partitions/1", 1)
                  .keeps("epoch", "/memberEpoch"),
              step("beats", 1, [](const known& k) { return short_heartbeat("joining", "member-a", k.int32("epoch")); }),
              step("is seen", 1, description({"joining"})),
              step("leaves", 1, short_heartbeat("joining", "member-a", -1)),
              step("is no longer seen", 1, description({"joining"})),
              step("does not beat any more", 1, short_heartbeat("joining", "member-a", 1)),
              step("does not leave again", 1, short_heartbeat("joining", "member-a", -1))})},
        {"a member that says everything each time",
         joined(with_topic_known_to_groups("talkative", 1),
                {coordinator_found("talking"),
                 step("joins", 1, heartbeat("talking", "member-a", {.names = {"talkative"}}))
                     .until("/assignment/topicPartitions/0/partitions/0", 0)
                     .keeps("epoch", "/memberEpoch"),
                 step("says it again, with what it owns", 1,
                      [](const known& k) {
                          return heartbeat("talking", "member-a",
                                           {.epoch = k.int32("epoch"),
                                            .names = {"talkative"},
                                            .owned = owned_partitions{owned(k.id("talkative"), {0})}});
                      }),
                 step("owns nothing yet, it says", 1,
                      [](const known& k) {
                          return heartbeat("talking", "member-a", {.epoch = k.int32("epoch"), .names = {"talkative"}});
                      }),
                 step("owns what it should not", 1,
                      [](const known& k) {
                          return heartbeat("talking", "member-a",
                                           {.epoch = k.int32("epoch"),
                                            .names = {"talkative"},
                                            .owned = owned_partitions{owned(k.id("talkative"), {0, 1})}});
                      }),
                 step("joins once more", 1, heartbeat("talking", "member-a", {.names = {"talkative"}})),
                 step("leaves", 1, short_heartbeat("talking", "member-a", -1))})},
        {"two members share",
         joined(with_topic_known_to_groups("shared", 2),
                {coordinator_found("sharing"),
                 step("the first one joins", 1, heartbeat("sharing", "member-a", {.names = {"shared"}}))
                     .until("/assignment/topicPartitions/0/partitions/1", 1)
                     .keeps("first", "/memberEpoch"),
                 step("it owns both", 1,
                      [](const known& k) {
                          return heartbeat("sharing", "member-a",
                                           {.epoch = k.int32("first"),
                                            .names = {"shared"},
                                            .owned = owned_partitions{owned(k.id("shared"), {0, 1})}});
                      }),
                 step("the second one joins and gets nothing yet", 1,
                      heartbeat("sharing", "member-b", {.names = {"shared"}}))
                     .keeps("second", "/memberEpoch"),
                 step("the first one is told to give one up", 1,
                      [](const known& k) { return short_heartbeat("sharing", "member-a", k.int32("first")); })
                     .until("/assignment/topicPartitions/0/partitions", boost::json::array{0}),
                 step("the group reconciles", 1, description({"sharing"})).in_any_order().differed_once({"assignment"}),
                 step("the first one has given it up", 1,
                      [](const known& k) {
                          auto request = short_heartbeat("sharing", "member-a", k.int32("first"));
                          request.topic_partitions = owned_partitions{owned(k.id("shared"), {0})};
                          return request;
                      })
                     .keeps("first", "/memberEpoch"),
                 step("the second one gets it", 1,
                      [](const known& k) { return short_heartbeat("sharing", "member-b", k.int32("second")); })
                     .until("/assignment/topicPartitions/0/partitions", boost::json::array{1})
                     .keeps("second", "/memberEpoch"),
                 step("the group is stable", 1, description({"sharing"})).in_any_order(),
                 step("the second one leaves", 1, short_heartbeat("sharing", "member-b", -1)),
                 step("the first one gets both", 1,
                      [](const known& k) { return short_heartbeat("sharing", "member-a", k.int32("first")); })
                     .until("/assignment/topicPartitions/0/partitions", (boost::json::array{0, 1})),
                 step("and leaves", 1, short_heartbeat("sharing", "member-a", -1))})},
        {"a member with an epoch that is not its own",
         joined(with_topic_known_to_groups("epochal", 1),
                {coordinator_found("epochs"),
                 step("joins", 1, heartbeat("epochs", "member-a", {.names = {"epochal"}}))
                     .until("/assignment/topicPartitions/0/partitions/0", 0)
                     .keeps("epoch", "/memberEpoch"),
                 step("a later one", 1, short_heartbeat("epochs", "member-a", 77)),
                 step("below all", 1, short_heartbeat("epochs", "member-a", -3)),
                 step("subscribes to more", 1,
                      [](const known& k) {
                          auto request = short_heartbeat("epochs", "member-a", k.int32("epoch"));
                          request.subscribed_topic_names = std::vector<std::string>{"epochal", "nobody-made-it"};
                          request.topic_partitions = owned_partitions{owned(k.id("epochal"), {0})};
                          return request;
                      }),
                 step("leaves", 1, short_heartbeat("epochs", "member-a", -1))})},
        {"members that nobody knows",
         joined(with_topic_known_to_groups("known-topic", 1),
                {coordinator_found("knowing"),
                 step("in a group nobody has", 1, short_heartbeat("nobodys-group", "member-a", 1)),
                 step("leaving a group nobody has", 1, short_heartbeat("nobodys-group", "member-a", -1)),
                 step("one joins", 1, heartbeat("knowing", "member-a", {.names = {"known-topic"}}))
                     .until("/assignment/topicPartitions/0/partitions/0", 0),
                 step("another one beats", 1, short_heartbeat("knowing", "member-b", 1)),
                 step("another one leaves", 1, short_heartbeat("knowing", "member-b", -1)),
                 step("leaves", 1, short_heartbeat("knowing", "member-a", -1))})},
        {"a member that lets the broker name it",
         joined(with_topic_known_to_groups("named", 1),
                {coordinator_found("naming"),
                 step("joins", 0, heartbeat("naming", "", {.names = {"named"}})).learns("member", "/memberId"),
                 step("leaves", 0, [](const known& k) { return short_heartbeat("naming", k.text("member"), -1); })})},
        {"a subscription that changes",
         joined(joined(with_topic_known_to_groups("change-from", 1), with_topic_known_to_groups("change-to", 1)),
                {coordinator_found("changing"),
                 step("joins", 1, heartbeat("changing", "member-a", {.names = {"change-from"}}))
                     .until("/assignment/topicPartitions/0/partitions/0", 0)
                     .keeps("epoch", "/memberEpoch"),
                 step("wants another topic and is told to give the first up", 1,
                      [](const known& k) {
                          return heartbeat("changing", "member-a",
                                           {.epoch = k.int32("epoch"),
                                            .names = {"change-to"},
                                            .owned = owned_partitions{owned(k.id("change-from"), {0})}});
                      })
                     .until("/assignment/topicPartitions", boost::json::array{}),
                 step("it has, and gets the other one", 1,
                      [](const known& k) {
                          return heartbeat("changing", "member-a", {.epoch = k.int32("epoch"), .names = {"change-to"}});
                      })
                     .until("/assignment/topicPartitions/0/partitions/0", 0),
                 step("leaves", 1, short_heartbeat("changing", "member-a", -1))})},
        {"a topic that comes later",
         joined(with_topic("here-already", 1),
                {coordinator_found("waiting"),
                 step("a member waits for it", 1, heartbeat("waiting", "member-a", {.names = {"comes-later"}}))
                     .keeps("epoch", "/memberEpoch"),
                 step("it is made", 7, create("comes-later"))
                     .differs({"configs"})
                     .learns("comes-later", "/topics/0/topicId"),
                 step("and assigned", 1,
                      [](const known& k) {
                          return heartbeat("waiting", "member-a",
                                           {.epoch = k.int32("epoch"), .names = {"comes-later"}});
                      })
                     .until("/assignment/topicPartitions/0/partitions/0", 0),
                 step("leaves", 1, short_heartbeat("waiting", "member-a", -1))})},
        {"a pattern",
         joined(joined(with_topic_known_to_groups("pattern-a", 1), with_topic_known_to_groups("pattern-b", 1)),
                {coordinator_found("matching"),
                 step("what else there is", 12, metadata_of({"__consumer_offsets"}))
                     .in_any_order()
                     .learns("offsets", "/topics/0/topicId"),
                 // Topics of the brokers' own are matched like others.
                 step("joins", 1,
                      heartbeat("matching", "member-a", {.names_told = false, .pattern = "(pattern-|__consumer_).*"}))
                     .until("/assignment/topicPartitions/1/partitions/0", 0)
                     .in_any_order()
                     // Patterns are resolved in the broker's own time, and then an epoch begins.
                     .differs({"memberEpoch"}),
                 step("is seen", 1, description({"matching"}))
                     .in_any_order()
                     .differs({"groupEpoch", "assignmentEpoch", "memberEpoch"}),
                 step("leaves", 1, short_heartbeat("matching", "member-a", -1))})},
    };
}

std::vector<story> static_member_stories() {
    return {
        {"a static member goes and comes back",
         joined(with_topic_known_to_groups("static", 2),
                {coordinator_found("keeping"),
                 step("joins", 1, heartbeat("keeping", "member-a", {.names = {"static"}, .instance = "one"}))
                     .until("/assignment/topicPartitions/0/partitions/1", 1)
                     .keeps("epoch", "/memberEpoch"),
                 step("another one takes it for itself", 1,
                      heartbeat("keeping", "member-b", {.names = {"static"}, .instance = "one"})),
                 step("goes for a while without its name", 1, short_heartbeat("keeping", "member-a", -2)),
                 step("goes for a while", 1,
                      [] {
                          auto request = short_heartbeat("keeping", "member-a", -2);
                          request.instance_id = "one";
                          return request;
                      }()),
                 step("is seen away", 1, description({"keeping"})),
                 step("comes back under another id", 1,
                      heartbeat("keeping", "member-c", {.names = {"static"}, .instance = "one"}))
                     .until("/assignment/topicPartitions/0/partitions/1", 1),
                 step("the old id is fenced", 1,
                      [](const known& k) {
                          auto request = short_heartbeat("keeping", "member-a", k.int32("epoch"));
                          request.instance_id = "one";
                          return request;
                      }),
                 step("an instance nobody has leaves", 1,
                      [] {
                          auto request = short_heartbeat("keeping", "member-c", -1);
                          request.instance_id = "two";
                          return request;
                      }()),
                 step("leaves for good", 1,
                      [] {
                          auto request = short_heartbeat("keeping", "member-c", -1);
                          request.instance_id = "one";
                          return request;
                      }())})},
    };
}

std::vector<story> refused_member_stories() {
    const auto without_group = heartbeat("", "member-a", {.names = {"any"}});
    return {
        {"heartbeats that make no sense",
         {coordinator_found("sense"), step("no group", 1, without_group),
          step("no member", 1, heartbeat("sense", "", {.names = {"any"}})),
          step("no member, in the version that may, but not joining", 0, short_heartbeat("sense", "", 3)),
          step("no timeout when joining", 1,
               heartbeat("sense", "member-a", {.names = {"any"}, .rebalance_timeout_ms = -1})),
          step("a timeout of nothing", 1,
               heartbeat("sense", "member-a", {.names = {"any"}, .rebalance_timeout_ms = 0})),
          step("a timeout below nothing", 1,
               heartbeat("sense", "member-a", {.names = {"any"}, .rebalance_timeout_ms = -5})),
          step("no subscription when joining", 1, heartbeat("sense", "member-a", {.names_told = false})),
          step("owning something when joining", 1,
               heartbeat("sense", "member-a",
                         {.names = {"any"},
                          .owned = owned_partitions{owned(*base::uuid::parse("AAAAAAAAAAAAAAAAAAAAAg"), {0})}})),
          step("not saying what it owns when joining", 1,
               heartbeat("sense", "member-a", {.names = {"any"}, .owned = std::nullopt})),
          step("an empty instance", 1, heartbeat("sense", "member-a", {.names = {"any"}, .instance = ""})),
          step("an assignor that is none", 1, heartbeat("sense", "member-a", {.names = {"any"}, .assignor = "fair"})),
          step("an empty assignor", 1, heartbeat("sense", "member-a", {.names = {"any"}, .assignor = ""})),
          step("a pattern that is none", 1,
               heartbeat("sense", "member-a", {.names_told = false, .pattern = "(unclosed"}))
              // Why, is what the library says that reads patterns.
              .differs({"errorMessage"}),
          step("an empty pattern and no names", 1,
               heartbeat("sense", "member-a", {.names_told = false, .pattern = ""})),
          step("leaving for a while without an instance", 1, short_heartbeat("sense", "member-a", -2)),
          step("an empty instance when leaving", 1,
               [] {
                   auto request = short_heartbeat("sense", "member-a", -2);
                   request.instance_id = "";
                   return request;
               }()),
          step("an epoch below all", 1, short_heartbeat("sense", "member-a", -7))}},
        {"names and a pattern at once",
         joined(joined(with_topic_known_to_groups("both-by-name", 1), with_topic_known_to_groups("both-by-pattern", 1)),
                {coordinator_found("both"),
                 step("joins", 1, heartbeat("both", "member-a", {.names = {"both-by-name"}, .pattern = "both-by-p.*"}))
                     .until("/assignment/topicPartitions/1/partitions/0", 0)
                     .in_any_order()
                     // Patterns are resolved in the broker's own time, and then an epoch begins.
                     .differs({"memberEpoch"}),
                 step("leaves", 1, short_heartbeat("both", "member-a", -1))})},
        {"assignors that exist",
         joined(
             with_topic_known_to_groups("assigned", 2),
             {coordinator_found("assigning"),
              step("by range", 1, heartbeat("assigning", "member-a", {.names = {"assigned"}, .assignor = "range"}))
                  .until("/assignment/topicPartitions/0/partitions/1", 1),
              step("is seen", 1, description({"assigning"})),
              step("leaves", 1, short_heartbeat("assigning", "member-a", -1)),
              step("uniformly", 1, heartbeat("assigning", "member-b", {.names = {"assigned"}, .assignor = "uniform"}))
                  .until("/assignment/topicPartitions/0/partitions/1", 1),
              step("leaves, too", 1, short_heartbeat("assigning", "member-b", -1))})},
    };
}

std::vector<story> administration_stories() {
    return {
        {"groups that are described",
         joined(with_topic_known_to_groups("administered", 1),
                {coordinator_found("administered-group"),
                 coordinator_found("simple-group"),
                 step("a group nobody has", 1, description({"nobodys-group"})),
                 step("a group without a name", 1, description({""})),
                 step("a classic description of a group nobody has", 5, classic_description({"nobodys-group"})),
                 step("the same, newest", 6, classic_description({"nobodys-group"})),
                 step("somebody commits from outside", 8, commit("simple-group", "administered", 1)),
                 step("which makes a classic group", 5, classic_description({"simple-group"})),
                 step("the same, newest", 6, classic_description({"simple-group"})),
                 step("and none of the new kind", 1, description({"simple-group"})),
                 step("a member joins the other one", 1,
                      heartbeat("administered-group", "member-a", {.names = {"administered"}}))
                     .until("/assignment/topicPartitions/0/partitions/0", 0),
                 step("which is described", 0, description({"administered-group"})),
                 step("two at once", 1, description({"administered-group", "nobodys-group"})),
                 step("a classic description of it", 5, classic_description({"administered-group"})),
                 step("the same, newest", 6, classic_description({"administered-group"})),
                 step("it cannot be deleted", 2, deletion({"administered-group"})),
                 step("classic groups are listed", 5, listing({}, {"classic"})).in_any_order(),
                 step("stable ones are listed", 5, listing({"Stable"})).in_any_order(),
                 step("stable ones, in small letters", 4, listing({"stable"})).in_any_order(),
                 step("of a state that is none", 5, listing({"Tired"})).in_any_order(),
                 step("of a type that is none", 5, listing({}, {"tired"})).in_any_order(),
                 step("the member leaves", 1, short_heartbeat("administered-group", "member-a", -1)),
                 step("the empty group", 1, description({"administered-group"})),
                 step("empty ones are listed, too", 4, listing({"Empty"})).differs({"groups"}),
                 step("now it can be deleted", 2, deletion({"administered-group"})),
                 step("and the simple one", 1, deletion({"simple-group"})),
                 step("but not again", 2, deletion({"administered-group"})),
                 step("nor one without a name", 2, deletion({""})),
                 step("nothing is described", 1, description({})),
                 step("nothing is deleted", 2, deletion({})),
                 step("what is left of it", 1, description({"administered-group"}))})},
    };
}

}  // namespace

std::vector<story> group_stories() {
    auto all = membership_stories();
    for (auto* some : {&static_member_stories, &refused_member_stories, &administration_stories}) {
        for (auto& one : some()) all.push_back(std::move(one));
    }
    return all;
}

}  // namespace strandline::conformance::broker
