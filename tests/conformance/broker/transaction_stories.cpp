// Transactions: producers, what is in them, how they end and what readers see of them.
#include "tests/conformance/broker/requests.hpp"
#include "tests/conformance/broker/stories.hpp"

namespace strandline::conformance::broker {

namespace {

constexpr protocol::producer_id nobody{987'654};

// The type of their coordinators.
constexpr std::int8_t of_transactions = 1;

// With a log in one piece: a marker is as old as the test, its records are of 1970, and no Fetch reads beyond a
// segment.
std::vector<step> with_one_segment(const std::string& topic, std::int32_t partitions = 1) {
    return with_topic(topic, partitions, {{"segment.ms", "9223372036854775807"}});
}

// A producer of that name: version 4 and below stays with the protocol of before KIP-890.
std::vector<step> with_producer(const std::string& transaction) {
    return {coordinator_found(transaction, of_transactions), step("the producer begins", 4, init_producer(transaction))
                                                                 .until("/errorCode", 0)
                                                                 .learns("producer", "/producerId")
                                                                 .keeps("epoch", "/producerEpoch")};
}

question writes(const std::string& transaction, const std::string& topic, const std::vector<std::string>& values,
                std::int32_t sequence, std::int16_t epochs_later = 0) {
    return [=](const known& k) {
        const auto epoch = static_cast<std::int16_t>(k.int16("epoch") + epochs_later);
        return produce_in(transaction, topic, batch(values, transactional(k, "producer", epoch, sequence)));
    };
}

question adds(const std::string& transaction, const std::string& topic, std::int32_t partition = 0,
              std::int16_t epochs_later = 0) {
    return [=](const known& k) {
        return add_partition(transaction, k.producer("producer"),
                             static_cast<std::int16_t>(k.int16("epoch") + epochs_later), topic, partition);
    };
}

question ends(const std::string& transaction, bool commit, std::int16_t epochs_later = 0) {
    return [=](const known& k) {
        return end_transaction(transaction, k.producer("producer"),
                               static_cast<std::int16_t>(k.int16("epoch") + epochs_later), commit);
    };
}

question adds_group(const std::string& transaction, const std::string& group, std::int16_t epochs_later = 0) {
    return [=](const known& k) {
        messages::add_offsets_to_txn_request request;
        request.transactional_id = transaction;
        request.producer_id = k.producer("producer");
        request.producer_epoch = static_cast<std::int16_t>(k.int16("epoch") + epochs_later);
        request.group_id = group;
        return request;
    };
}

// Only asks whether the partition is in the transaction, as brokers ask one another.
question verifies(const std::string& transaction, const std::string& topic) {
    return [=](const known& k) {
        messages::add_partitions_to_txn_request request;
        auto& one = request.transactions.emplace_back();
        one.transactional_id = transaction;
        one.producer_id = k.producer("producer");
        one.producer_epoch = k.int16("epoch");
        one.verify_only = true;
        auto& named = one.topics.emplace_back();
        named.name = topic;
        named.partitions = indexes({0});
        return request;
    };
}

struct offset_in_transaction {
    std::int64_t offset = 5;
    std::string member = {};
    std::int32_t member_epoch = -1;
    std::int16_t epochs_later = 0;
    std::int32_t partition = 0;
};

question commits_offset(const std::string& transaction, const std::string& group, const std::string& topic,
                        const offset_in_transaction& how = {}) {
    return [=](const known& k) {
        messages::txn_offset_commit_request request;
        request.transactional_id = transaction;
        request.group_id = group;
        request.producer_id = k.producer("producer");
        request.producer_epoch = static_cast<std::int16_t>(k.int16("epoch") + how.epochs_later);
        request.member_id = how.member;
        request.generation_id_or_member_epoch = protocol::member_epoch(how.member_epoch);
        auto& named = request.topics.emplace_back();
        named.name = topic;
        auto& partition = named.partitions.emplace_back();
        partition.partition_index = protocol::partition_index(how.partition);
        partition.committed_offset = how.offset;
        partition.committed_metadata = "";
        return request;
    };
}

// Ended, and the markers written: brokers answer before they are.
step ended(const std::string& topic, std::int64_t stable) {
    return step("until the end is in the log", 7, list_offset(topic, -1, true))
        .until("/topics/0/partitions/0/offset", stable);
}

std::vector<story> producer_stories() {
    return {
        {"producers get ids",
         {step("one without transactions", 4, init_producer(std::nullopt)).learns("first", "/producerId"),
          step("long ago", 0, init_producer(std::nullopt)).learns("second", "/producerId"),
          step("one with an empty name", 4, init_producer("")), coordinator_found("timid", of_transactions),
          step("one with no time", 4, init_producer("timid", 0)),
          step("one with time below nothing", 4, init_producer("timid", -1)),
          step("one with too much time", 4, init_producer("timid", 900'001)),
          step("one that knows itself wrongly", 4, init_producer("timid", 60'000, nobody, 3))
              .learns("fourth", "/producerId"),
          step("one that knows half of itself", 4, init_producer("timid", 60'000, nobody, -1)),
          step("one with a name", 4, init_producer("timid")).until("/errorCode", 0).learns("third", "/producerId"),
          step("it comes again, in the next epoch", 4, init_producer("timid")).until("/errorCode", 0),
          step("and again, newest", 5, init_producer("timid")).until("/errorCode", 0).keeps("epoch", "/producerEpoch"),
          step("and knows itself", 4,
               [](const known& k) { return init_producer("timid", 60'000, k.producer("third"), k.int16("epoch")); })
              .until("/errorCode", 0),
          step("its former self is fenced", 4,
               [](const known& k) { return init_producer("timid", 60'000, k.producer("third"), 0); }),
          step("its former self is fenced, long ago", 3,
               [](const known& k) { return init_producer("timid", 60'000, k.producer("third"), 0); }),
          step("somebody else of that name", 4, init_producer("timid", 60'000, nobody, 0))}},
    };
}

// As producers have done it before KIP-890: AddPartitionsToTxn first, epochs stay.
std::vector<story> classic_stories() {
    return {
        {"a transaction commits",
         joined(
             joined(with_one_segment("ledger", 2), with_producer("teller")),
             {step("a partition is added", 3, adds("teller", "ledger")),
              step("and once more", 2, adds("teller", "ledger")),
              step("two records", 11, writes("teller", "ledger", {"a", "b"}, 0)),
              step("a reader of everything", 12, fetch("ledger")),
              step("a reader of committed records waits", 12, fetch("ledger", {.committed = true})),
              step("the committed end", 7, list_offset("ledger", -1, true)),
              step("the end", 7, list_offset("ledger", -1)),
              step("a committed time", 7, list_offset("ledger", 1000, true)), step("commits", 4, ends("teller", true)),
              ended("ledger", 3), step("commits again", 4, ends("teller", true)).until("/errorCode", 0),
              step("aborts instead", 4, ends("teller", false)),
              step("a reader of committed records", 12, fetch("ledger", {.committed = true})),
              step("a reader of everything, now", 12, fetch("ledger")),
              step("a reader at the marker", 12, fetch("ledger", {.from = 2}))})},
        {"a transaction aborts",
         joined(joined(with_one_segment("discarded"), with_producer("waverer")),
                {step("not a part of it", 9, produce("discarded", batch({"plain"}))),
                 step("a partition is added", 3, adds("waverer", "discarded")),
                 step("two records", 11, writes("waverer", "discarded", {"a", "b"}, 0)),
                 step("aborts", 4, ends("waverer", false)), ended("discarded", 4),
                 step("a reader of committed records", 12, fetch("discarded", {.committed = true})),
                 step("one that begins behind them", 12, fetch("discarded", {.from = 4, .committed = true})),
                 step("one that begins among them", 12, fetch("discarded", {.from = 2, .committed = true})),
                 step("a reader of everything", 12, fetch("discarded")),
                 step("the largest time", 7, list_offset("discarded", -3)).differs({"timestamp"}),
                 step("a time among them", 7, list_offset("discarded", 1001))})},
        {"what a transaction refuses",
         joined(joined(with_one_segment("refused", 1), with_producer("refusing")),
                {step("commit before there is one", 4, ends("refusing", true)),
                 step("abort before there is one", 4, ends("refusing", false)),
                 step("records for a partition that was not added", 11, writes("refusing", "refused", {"a"}, 0))
                     .differs({"errorMessage"}),
                 step("a partition nobody has", 3, adds("refusing", "refused", 5)),
                 step("a topic nobody has", 3, adds("refusing", "nobody-made-it")),
                 step("a producer of a later epoch", 3, adds("refusing", "refused", 0, 1)),
                 step("the same, long ago", 1, adds("refusing", "refused", 0, 1)),
                 step("a producer nobody knows", 3, add_partition("refusing", nobody, 0, "refused")),
                 step("a name nobody knows", 3, add_partition("nobodys-transaction", nobody, 0, "refused")),
                 step("a name that is none", 3, add_partition("", nobody, 0, "refused")),
                 step("the end of another epoch", 4, ends("refusing", true, 1)),
                 step("the end of another epoch, long ago", 1, ends("refusing", true, 1)),
                 step("the end of a producer nobody knows", 4, end_transaction("refusing", nobody, 0, true)),
                 step("the end of a name nobody knows", 4, end_transaction("nobodys-transaction", nobody, 0, true)),
                 step("the end of a name that is none", 4, end_transaction("", nobody, 0, true)),
                 step("added", 3, adds("refusing", "refused")),
                 step("records of another epoch", 11, writes("refusing", "refused", {"a"}, 0, 1))
                     .differs({"errorMessage"}),
                 step("records in the right one", 11, writes("refusing", "refused", {"a"}, 0)),
                 step("aborts", 4, ends("refusing", false)),
                 ended("refused", 2)})},
        {"a producer that comes again",
         joined(joined(with_one_segment("resumed"), with_producer("phoenix")),
                {step("a partition is added", 3, adds("phoenix", "resumed")),
                 step("a record", 11, writes("phoenix", "resumed", {"a"}, 0)),
                 step("comes again while its transaction is open", 4, init_producer("phoenix")),
                 step("and in the end it may", 4, init_producer("phoenix"))
                     .until("/errorCode", 0)
                     .keeps("next", "/producerEpoch"),
                 ended("resumed", 2), step("what was open is aborted", 12, fetch("resumed", {.committed = true})),
                 step("its former self is fenced", 3, adds("phoenix", "resumed")),
                 step("its former self does not commit", 4, ends("phoenix", true)),
                 step("its former self does not write", 11, writes("phoenix", "resumed", {"b"}, 1))
                     .differs({"errorMessage"})})},
        {"two transactions at once",
         joined(joined(with_one_segment("crowded"), with_producer("one")),
                {step("the first adds", 3, adds("one", "crowded")),
                 step("the first writes", 11, writes("one", "crowded", {"a"}, 0)),
                 coordinator_found("two", of_transactions),
                 step("the second begins", 4, init_producer("two"))
                     .until("/errorCode", 0)
                     .learns("second", "/producerId")
                     .keeps("second epoch", "/producerEpoch"),
                 step("the second adds", 3,
                      [](const known& k) {
                          return add_partition("two", k.producer("second"), k.int16("second epoch"), "crowded");
                      }),
                 step("the second writes", 11,
                      [](const known& k) {
                          return produce_in("two", "crowded",
                                            batch({"b"}, transactional(k, "second", k.int16("second epoch"), 0)));
                      }),
                 step("the second commits", 4,
                      [](const known& k) {
                          return end_transaction("two", k.producer("second"), k.int16("second epoch"), true);
                      }),
                 step("until its end is in the log", 7, list_offset("crowded", -1))
                     .until("/topics/0/partitions/0/offset", 3),
                 step("the first holds the readers up", 12, fetch("crowded", {.committed = true})),
                 step("the first aborts", 4, ends("one", false)), ended("crowded", 4),
                 step("now they see", 12, fetch("crowded", {.committed = true})),
                 step("in two portions, the first", 12, fetch("crowded", {.max_bytes = 1, .committed = true})),
                 step("in two portions, the second", 12,
                      fetch("crowded", {.from = 1, .max_bytes = 1, .committed = true}))})},
    };
}

// As producers of transaction.version 2 do it (KIP-890): partitions come with the records, epochs go up.
std::vector<story> newer_stories() {
    return {
        {"a transaction of the new kind",
         joined(joined(with_one_segment("modern"), with_producer("modernist")),
                {step("two records, and the partition with them", 12, writes("modernist", "modern", {"a", "b"}, 0)),
                 step("commits, into the next epoch", 5, ends("modernist", true)), ended("modern", 3),
                 step("commits again", 5, ends("modernist", true)).until("/errorCode", 0),
                 step("aborts instead", 5, ends("modernist", false)),
                 step("the next one", 12, writes("modernist", "modern", {"c"}, 0, 1))
                     .until("/responses/0/partitionResponses/0/errorCode", 0),
                 step("the old epoch is over", 12, writes("modernist", "modern", {"d"}, 1)).differs({"errorMessage"}),
                 step("aborts", 5, ends("modernist", false, 1)), ended("modern", 5),
                 step("abort of nothing", 5, ends("modernist", false, 2)).until("/errorCode", 0),
                 step("commit of nothing", 5, ends("modernist", true, 3)).until("/errorCode", 48),
                 step("what readers see", 12, fetch("modern", {.committed = true}))})},
        {"partitions as brokers ask each other",
         joined(joined(with_one_segment("verified"), with_producer("verifier")),
                {step("not in it", 4, verifies("verifier", "verified")),
                 step("not in it, newest", 5, verifies("verifier", "verified")),
                 step("added", 3, adds("verifier", "verified")), step("in it", 4, verifies("verifier", "verified")),
                 step("aborts", 4, ends("verifier", false))})},
    };
}

std::vector<story> offset_stories_in_transactions() {
    return {
        {"offsets in a transaction",
         joined(
             joined(with_one_segment("consumed", 2), with_producer("transformer")),
             {coordinator_found("transforming"),
              step("offsets before the group is added", 4, commits_offset("transformer", "transforming", "consumed")),
              step("the group is added", 3, adds_group("transformer", "transforming")),
              step("and once more, long ago", 1, adds_group("transformer", "transforming")),
              step("an offset", 3, commits_offset("transformer", "transforming", "consumed")),
              step("it is not there yet", 8, committed("transforming", "consumed")),
              step("who asks for stable ones must wait", 8, committed("transforming", "consumed", {}, -1, true)),
              step("of a topic nobody has", 3, commits_offset("transformer", "transforming", "nobody-made-it")),
              step("of a partition nobody has", 3,
                   commits_offset("transformer", "transforming", "consumed", {.partition = 5})),
              step(
                  "of a member nobody knows", 3,
                  commits_offset("transformer", "transforming", "consumed", {.member = "stranger", .member_epoch = 3})),
              step("of a later epoch", 3,
                   commits_offset("transformer", "transforming", "consumed", {.epochs_later = 1})),
              step("commits", 4, ends("transformer", true)),
              step("then it is there", 8, committed("transforming", "consumed"))
                  .until("/groups/0/topics/0/partitions/0/committedOffset", 5),
              step("and stable", 8, committed("transforming", "consumed", {}, -1, true))
                  .until("/groups/0/topics/0/partitions/0/errorCode", 0)})},
        {"offsets in a transaction that aborts",
         joined(joined(with_one_segment("unconsumed", 2), with_producer("forgetter")),
                {coordinator_found("forgetful"), step("one is there", 8, commit("forgetful", "unconsumed", 2)),
                 step("the group is added", 3, adds_group("forgetter", "forgetful")),
                 step("another one", 3, commits_offset("forgetter", "forgetful", "unconsumed")),
                 step("aborts", 4, ends("forgetter", false)),
                 step("the first one stays", 8, committed("forgetful", "unconsumed", {}, -1, true))
                     .until("/groups/0/topics/0/partitions/0/errorCode", 0)})},
        {"offsets in a transaction of the new kind",
         joined(joined(with_one_segment("modern-offsets", 2), with_producer("modern-transformer")),
                {coordinator_found("modern-group"),
                 step("an offset, and the group with it", 5,
                      commits_offset("modern-transformer", "modern-group", "modern-offsets")),
                 step("commits", 5, ends("modern-transformer", true)),
                 step("then it is there", 8, committed("modern-group", "modern-offsets", {}, -1, true))
                     .until("/groups/0/topics/0/partitions/0/errorCode", 0)})},
        {"offsets of a group that nobody knows, in a transaction",
         joined(with_producer("stranger"),
                {step("the group is added", 3, adds_group("stranger", "")),
                 step("a later epoch adds a group", 3, adds_group("stranger", "any-group", 1)),
                 step("the same, long ago", 1, adds_group("stranger", "any-group", 1))})},
    };
}

}  // namespace

std::vector<story> transaction_stories() {
    auto all = producer_stories();
    for (auto* some : {&classic_stories, &newer_stories, &offset_stories_in_transactions}) {
        for (auto& one : some()) all.push_back(std::move(one));
    }
    return all;
}

}  // namespace strandline::conformance::broker
