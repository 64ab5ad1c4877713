// A partition's log: written, and asked for offsets by time and epoch.
#include <algorithm>

#include "tests/conformance/broker/requests.hpp"
#include "tests/conformance/broker/stories.hpp"

namespace strandline::conformance::broker {

namespace {

messages::produce_request produce_by_id(protocol::topic_id topic, base::shared_bytes records) {
    auto request = produce("", std::move(records));
    request.topic_data[0].topic_id = topic;
    return request;
}

messages::produce_request with_acks(messages::produce_request request, std::int16_t acks) {
    request.acks = acks;
    return request;
}

base::shared_bytes damaged(const base::shared_bytes& whole) {
    base::buffer copy(whole.size());
    std::copy_n(whole.data(), whole.size(), copy.writable().data());
    copy.writable()[whole.size() - 1] ^= std::byte{0xff};
    return std::move(copy).freeze(whole.size());
}

base::shared_bytes with_options(records::batch_options options) { return batch({"v"}, options); }

// Writes as an idempotent producer.
step sequence(const std::string& says, const std::string& topic, std::int32_t number, std::size_t count = 1,
              std::int16_t epoch = 0) {
    return step(says, 9,
                [=](const known& k) {
                    return produce(
                        topic, batch(std::vector<std::string>(count, "v"), idempotent(k, "producer", epoch, number)));
                })
        .differs({"errorMessage"});
}

std::vector<story> producing_stories() {
    records::batch_options control;
    control.control = true;
    control.transactional = true;
    control.producer_id = 7;
    control.producer_epoch = 0;
    records::batch_options transactional = control;
    transactional.control = false;
    transactional.base_sequence = 0;
    records::batch_options old;
    old.magic = 1;
    return {
        {"records are written",
         joined(
             with_topic("written", 2),
             {step("two", 9, produce("written", batch({"a", "b"}))),
              step("one more", 12, produce("written", batch({"c"}))),
              step("by the topic's id", 13,
                   [](const known& k) { return produce_by_id(k.id("written"), batch({"d"})); }),
              step("long ago", 3, produce("written", batch({"e"}))),
              step("as the leader alone acknowledges them", 9, with_acks(produce("written", batch({"f"})), 1)),
              step("they are all there", 12, fetch("written")),
              step("compressed", 9, produce("written", batch({"g", "h"}, {.codec = records::compression_codec::gzip}))),
              step("and stays so", 12, fetch("written", {.from = 6}))}),
         "4.1.0"},
        {"records that are refused",
         joined(with_topic("strict"),
                {step("for a topic nobody has", 9, produce("nobody-made-it", batch({"v"}))),
                 step("for a partition nobody has", 9, produce("strict", batch({"v"}), 5)),
                 step("acknowledged in a way that is none", 9, with_acks(produce("strict", batch({"v"})), 3)),
                 step("damaged ones", 9, produce("strict", damaged(batch({"v"})))).differs({"errorMessage"}),
                 step("none", 9, produce("strict", base::shared_bytes{})),
                 step("control records", 9, produce("strict", with_options(control))).differs({"errorMessage"}),
                 step("larger than the topic takes", 9, produce("strict", large_batch(1'100'000)))
                     .differs({"errorMessage"}),
                 step("of a transaction, without one", 9, produce("strict", with_options(transactional)))
                     .differs({"errorMessage"}),
                 step("nothing of it all is there", 12, fetch("strict"))})},
        {"records for an id nobody has",
         {step("written", 13, produce_by_id(*base::uuid::parse("AAAAAAAAAAAAAAAAAAAAAg"), batch({"v"})))},
         "4.1.0"},
        {"a topic that the broker stamps with its time",
         joined(with_topic("stamped", 1, {{"message.timestamp.type", "LogAppendTime"}}),
                {step("written", 9, produce("stamped", batch({"a"}))).differs({"logAppendTimeMs"}),
                 step("read", 12, fetch("stamped")).differs({"timestamp"})})},
        {"a topic with a limit",
         joined(with_topic("limited", 1, {{"max.message.bytes", "1000"}}),
                {step("more than that", 9, produce("limited", large_batch(1200))).differs({"errorMessage"}),
                 step("less", 9, produce("limited", large_batch(100)))})},
        {"an idempotent producer",
         joined(with_topic("in-sequence"),
                {step("gets its id", 4, init_producer(std::nullopt)).learns("producer", "/producerId"),
                 sequence("the first batch", "in-sequence", 0, 2), sequence("the next one", "in-sequence", 2),
                 sequence("the first one once more", "in-sequence", 0, 2), sequence("one too far", "in-sequence", 9),
                 sequence("one that overlaps", "in-sequence", 1), sequence("the next one after all", "in-sequence", 3),
                 sequence("a new epoch begins at zero", "in-sequence", 0, 1, 1),
                 sequence("the old epoch is over", "in-sequence", 4),
                 sequence("another new epoch that does not begin at zero", "in-sequence", 5, 1, 2),
                 step("what was written", 12, fetch("in-sequence"))})},
        {"a producer that begins in the middle",
         joined(with_topic("mid-sequence"),
                {step("gets its id", 4, init_producer(std::nullopt)).learns("producer", "/producerId"),
                 sequence("a first batch with a later number", "mid-sequence", 5)})},
    };
}

std::vector<story> listing_stories() {
    return {
        {"offsets of an empty partition",
         joined(with_topic("empty"),
                {step("latest", 7, list_offset("empty", -1)), step("earliest", 7, list_offset("empty", -2)),
                 step("of the largest time", 7, list_offset("empty", -3)),
                 step("earliest on its own disk", 8, list_offset("empty", -4)),
                 step("latest in other storage", 9, list_offset("empty", -5)),
                 step("earliest to be stored elsewhere", 11, list_offset("empty", -6)),
                 step("a time", 7, list_offset("empty", 1000))}),
         "4.2.0"},
        {"offsets by time",
         joined(
             with_topic("timed"),
             {step("at 1000, 1001, 1002", 9, produce("timed", batch({"a", "b", "c"}))),
              step("at 3000, 3001", 9, produce("timed", batch({"d", "e"}, {}, 3000))),
              step("at 2000", 9, produce("timed", batch({"f"}, {}, 2000))), step("latest", 7, list_offset("timed", -1)),
              step("earliest", 7, list_offset("timed", -2)), step("of the largest time", 7, list_offset("timed", -3)),
              step("earliest on its own disk", 8, list_offset("timed", -4)), step("0", 7, list_offset("timed", 0)),
              step("1001", 7, list_offset("timed", 1001)), step("1500", 7, list_offset("timed", 1500)),
              step("3001", 7, list_offset("timed", 3001)), step("later than all", 7, list_offset("timed", 9000)),
              step("committed ones", 7, list_offset("timed", -1, true)),
              step("long ago", 1, list_offset("timed", 1001))})},
        {"offsets that cannot be told",
         joined(with_topic("untold"), {step("of a topic nobody has", 7, list_offset("nobody-made-it", -1)),
                                       step("of a partition nobody has", 7, list_offset("untold", -1, false, -1, 5)),
                                       step("in an epoch that has not come", 7, list_offset("untold", -1, false, 9)),
                                       step("in this epoch", 7, list_offset("untold", -1, false, 0)),
                                       step("a special time that is none", 10, list_offset("untold", -9)),
                                       step("a special time of a later version", 6, list_offset("untold", -3)),
                                       step("another special time of a later version", 7, list_offset("untold", -4))})},
    };
}

std::vector<story> epoch_stories() {
    return {
        {"where epochs end",
         joined(with_topic("epochs"),
                {step("before anything is written", 4, end_of_epoch("epochs", 0)),
                 step("three records", 9, produce("epochs", batch({"a", "b", "c"}))),
                 step("this epoch", 4, end_of_epoch("epochs", 0)),
                 step("this epoch, said by one who knows it", 3, end_of_epoch("epochs", 0, 0)),
                 step("a later one", 4, end_of_epoch("epochs", 3)), step("none", 4, end_of_epoch("epochs", -1)),
                 step("said by one who knows a later one", 4, end_of_epoch("epochs", 0, 9)),
                 step("of a topic nobody has", 4, end_of_epoch("nobody-made-it", 0)),
                 step("of a partition nobody has", 4, end_of_epoch("epochs", 0, -1, 5)),
                 step("long ago", 2, end_of_epoch("epochs", 0))})},
    };
}

}  // namespace

std::vector<story> log_stories() {
    auto all = producing_stories();
    for (auto* some : {&listing_stories, &epoch_stories}) {
        for (auto& one : some()) all.push_back(std::move(one));
    }
    return all;
}

}  // namespace strandline::conformance::broker
