// Fetch: how much comes, when, and what a session remembers.
#include "tests/conformance/broker/requests.hpp"
#include "tests/conformance/broker/stories.hpp"

namespace strandline::conformance::broker {

namespace {

using namespace std::chrono_literals;

const auto nobodys_id = *base::uuid::parse("AAAAAAAAAAAAAAAAAAAAAg");

messages::fetch_request joined_with(messages::fetch_request first, const messages::fetch_request& second) {
    for (const auto& topic : second.topics) first.topics.push_back(topic);
    return first;
}

// Two partitions of one topic.
messages::fetch_request both_of(const std::string& topic, const fetching& how = {}) {
    auto request = fetch(topic, how);
    auto second = request.topics[0].partitions[0];
    second.partition = protocol::partition_index(1);
    request.topics[0].partitions.push_back(second);
    return request;
}

messages::fetch_request forgetting(messages::fetch_request request, const std::string& topic, std::int32_t partition) {
    auto& forgotten = request.forgotten_topics_data.emplace_back();
    forgotten.topic = topic;
    forgotten.partitions = indexes({partition});
    return request;
}

std::vector<step> with_records(const std::string& topic) {
    return joined(with_topic(topic, 2), {step("three in partition 0", 9, produce(topic, batch({"a", "b", "c"}))),
                                         step("two more", 9, produce(topic, batch({"d", "e"}))),
                                         step("one in partition 1", 9, produce(topic, batch({"z"}), 1))});
}

std::vector<story> reading_stories() {
    return {
        {"records are read",
         joined(with_records("read"),
                {step("from the begin", 12, fetch("read")), step("from within a batch", 12, fetch("read", {.from = 1})),
                 step("from the second batch", 12, fetch("read", {.from = 3})),
                 step("from the end", 12, fetch("read", {.from = 5})),
                 step("committed ones", 12, fetch("read", {.committed = true})),
                 step("of both partitions", 12, both_of("read")), step("long ago", 4, fetch("read")),
                 step("before sessions", 6, fetch("read")), step("with epochs", 9, fetch("read", {.leader_epoch = 0})),
                 step("before ids and after racks", 11, fetch("read")),
                 step("by id", 13, [](const known& k) { return fetch(k.id("read")); }),
                 step("newest in all versions", 17, [](const known& k) { return fetch(k.id("read")); })})},
        {"what cannot be read",
         joined(
             with_records("unread"),
             {step("beyond the end", 12, fetch("unread", {.from = 6})),
              step("before the begin", 12, fetch("unread", {.from = -1})),
              step("a topic nobody has", 12, fetch("nobody-made-it")), step("an id nobody has", 17, fetch(nobodys_id)),
              step("a partition nobody has", 12, fetch("unread", {.partition = 5})),
              step("by id, a partition nobody has", 17,
                   [](const known& k) { return fetch(k.id("unread"), {.partition = 5}); }),
              step("in an epoch that has not come", 12, fetch("unread", {.leader_epoch = 9})),
              step("one partition right and one wrong", 12, joined_with(fetch("unread"), fetch("nobody-made-it"))),
              step("the same with ids", 17,
                   [](const known& k) { return joined_with(fetch(k.id("unread")), fetch(nobodys_id)); })})},
        {"how much comes at once",
         joined(with_records("portions"),
                {step("one byte: the first batch all the same", 12, fetch("portions", {.max_bytes = 1})),
                 step("one byte of each partition: the same", 12, fetch("portions", {.partition_max_bytes = 1})),
                 step("one byte, two partitions: the first one's alone", 12, both_of("portions", {.max_bytes = 1})),
                 step("one byte each, two partitions", 12, both_of("portions", {.partition_max_bytes = 1})),
                 step("room for one batch and a half", 12, fetch("portions", {.partition_max_bytes = 120})),
                 step("room for both batches", 12, fetch("portions", {.partition_max_bytes = 200})),
                 step("no room at all", 12, fetch("portions", {.max_bytes = 0})),
                 step("no room in the partition", 12, fetch("portions", {.partition_max_bytes = 0})),
                 step("a size below nothing", 12, fetch("portions", {.partition_max_bytes = -1})),
                 step("where the first partition has nothing, the second one's comes", 12,
                      both_of("portions", {.from = 1, .max_bytes = 1}))})},
        {"a reader that waits",
         joined(
             with_topic("awaited"),
             {step("nothing comes in its time", 12, fetch("awaited", {.max_wait_ms = 300})).takes_at_least(300ms),
              step("or it does not wait", 12, fetch("awaited", {.max_wait_ms = 5000, .min_bytes = 0})),
              step("it waits", 12, fetch("awaited", {.max_wait_ms = 10'000})).sent_ahead_on("reader"),
              step("something is written", 9, produce("awaited", batch({"a"}))),
              answer_on("reader", step("comes", 12, fetch("awaited"))),
              step("it wants more than there is", 12, fetch("awaited", {.max_wait_ms = 300, .min_bytes = 1000}))
                  .takes_at_least(300ms),
              step("it waits for more than there is", 12, fetch("awaited", {.max_wait_ms = 10'000, .min_bytes = 100}))
                  .sent_ahead_on("reader"),
              step("enough is written", 9, produce("awaited", batch({std::string(100, 'b')}))),
              answer_on("reader", step("both come", 12, fetch("awaited"))),
              step("an error does not wait", 12, fetch("awaited", {.from = 9, .max_wait_ms = 10'000}))})},
        {"epochs that readers remember",
         joined(with_records("remembered"),
                {step("the one there is", 12, fetch("remembered", {.from = 3, .last_fetched_epoch = 0})),
                 step("one that never was", 12, fetch("remembered", {.from = 3, .last_fetched_epoch = 4})),
                 step("at an offset that never was", 12, fetch("remembered", {.from = 9, .last_fetched_epoch = 0})),
                 step("both", 12, fetch("remembered", {.from = 9, .last_fetched_epoch = 4}))})},
    };
}

std::vector<story> session_stories() {
    const auto session = [](const known& k) { return k.int32("session"); };
    return {
        {"a session",
         joined(with_records("in-session"),
                {step("begins", 12, both_of("in-session", {.session_epoch = 0})).learns("session", "/sessionId"),
                 step("has no news", 12, [=](const known& k) { return fetch_more(session(k), 1); }),
                 step("moves on in one partition", 12,
                      [=](const known& k) {
                          return fetch("in-session", {.from = 5, .session = session(k), .session_epoch = 2});
                      }),
                 step("moves on in the other", 12,
                      [=](const known& k) {
                          return fetch("in-session",
                                       {.from = 1, .partition = 1, .session = session(k), .session_epoch = 3});
                      }),
                 step("something is written", 9, produce("in-session", batch({"y"}), 1)),
                 step("which is the news", 12, [=](const known& k) { return fetch_more(session(k), 4); }),
                 step("and again, until it moves on", 12, [=](const known& k) { return fetch_more(session(k), 5); }),
                 step("it forgets a partition", 12,
                      [=](const known& k) { return forgetting(fetch_more(session(k), 6), "in-session", 1); }),
                 step("which has no news any more", 12, [=](const known& k) { return fetch_more(session(k), 7); }),
                 step("a wrong epoch", 12, [=](const known& k) { return fetch_more(session(k), 7); }),
                 step("that did no harm", 12, [=](const known& k) { return fetch_more(session(k), 8); }),
                 step("it ends", 12, [=](const known& k) { return fetch_more(session(k), -1); }),
                 step("then it is unknown", 12, [=](const known& k) { return fetch_more(session(k), 9); })})},
        {"a session that begins once more",
         joined(with_records("twice-begun"),
                {step("begins", 12, both_of("twice-begun", {.session_epoch = 0})).learns("session", "/sessionId"),
                 step("begins again in its own place", 12,
                      [=](const known& k) {
                          return both_of("twice-begun", {.from = 1, .session = session(k), .session_epoch = 0});
                      })
                     .learns("other", "/sessionId"),
                 step("the first one is gone", 12, [=](const known& k) { return fetch_more(session(k), 1); }),
                 step("the second one goes on", 12, [](const known& k) { return fetch_more(k.int32("other"), 1); })})},
        {"a session that never was",
         joined(with_records("never-begun"),
                {step("goes on", 12, fetch_more(424'242, 1)), step("ends", 12, fetch_more(424'242, -1)),
                 step("nothing is asked, without a session", 12, fetch_more(0, -1)),
                 step("nothing is asked, with a session", 12, fetch_more(0, 0)).differs({"sessionId"}),
                 step("goes on without a number", 12, fetch_more(0, 1))})},
        {"a session with a partition that fails",
         joined(with_records("failing"),
                {step("begins with one out of range", 12, both_of("failing", {.from = 3, .session_epoch = 0}))
                     .learns("session", "/sessionId"),
                 step("the error is told again", 12, [=](const known& k) { return fetch_more(session(k), 1); }),
                 step("and a topic nobody has is added", 12,
                      [=](const known& k) {
                          return fetch("nobody-made-it", {.session = session(k), .session_epoch = 2});
                      }),
                 step("and told again, too", 12, [=](const known& k) { return fetch_more(session(k), 3); })})},
        {"a session with ids",
         joined(with_records("by-id"),
                {step("begins", 17, [](const known& k) { return fetch(k.id("by-id"), {.session_epoch = 0}); })
                     .learns("session", "/sessionId"),
                 step("an id nobody has is added", 17,
                      [=](const known& k) { return fetch(nobodys_id, {.session = session(k), .session_epoch = 1}); }),
                 step("and told again", 17, [=](const known& k) { return fetch_more(session(k), 2); }),
                 step("it goes on by names", 12,
                      [=](const known& k) { return fetch("by-id", {.session = session(k), .session_epoch = 3}); }),
                 step("its topic is deleted", 6,
                      [](const known& k) {
                          messages::delete_topics_request request;
                          request.timeout_ms = 10'000;
                          auto& topic = request.topics.emplace_back();
                          topic.topic_id = k.id("by-id");
                          return request;
                      }),
                 step("and gone", 12, metadata_of({"by-id"})).until("/topics/0/errorCode", 3)})},
        {"where a log begins is news",
         joined(with_records("begin-news"),
                {step("a session begins", 12, fetch("begin-news", {.from = 5, .session_epoch = 0}))
                     .learns("session", "/sessionId"),
                 step("has no news", 12, [=](const known& k) { return fetch_more(session(k), 1); }),
                 step("the begin moves", 1,
                      [] {
                          messages::delete_records_request request;
                          request.timeout_ms = 10'000;
                          auto& topic = request.topics.emplace_back();
                          topic.name = "begin-news";
                          topic.partitions.emplace_back().offset = 2;
                          return request;
                      }()),
                 step("which is news", 12, [=](const known& k) { return fetch_more(session(k), 2); })})},
    };
}

}  // namespace

std::vector<story> fetch_stories() {
    auto all = reading_stories();
    for (auto& one : session_stories()) all.push_back(std::move(one));
    return all;
}

}  // namespace strandline::conformance::broker
