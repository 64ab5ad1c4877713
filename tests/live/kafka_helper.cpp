// One line out, one line back.
#include "tests/live/kafka_helper.hpp"

#include <stdexcept>
#include <utility>

#include "tests/live/installation.hpp"

namespace strandline::live {

namespace {

child_options java_helper(const std::string& bootstrap_servers, const std::filesystem::path& log) {
    const auto jars = kafka_jars(newest_kafka).string() + "/*:" + kafka_helper_classes().string();
    return {.command = {"java", "-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-Dorg.slf4j.simpleLogger.showDateTime=true",
                        "-cp", jars, "KafkaHelper", bootstrap_servers},
            .error_copy = log};
}

}  // namespace

kafka_helper::kafka_helper(const std::string& bootstrap_servers, const std::filesystem::path& log)
    : process_(java_helper(bootstrap_servers, log)) {
    call("ping");
}

json::value kafka_helper::call(std::string_view command, json::object request, milliseconds timeout) {
    request["do"] = command;
    const auto line = json::serialize(request);
    process_.write(line + "\n");
    if (!process_.output().wait_for_lines(answered_ + 1, timeout)) {
        throw std::runtime_error("Kafka's helper did not answer " + line.substr(0, 200) +
                                 "; it says: " + process_.errors().text().substr(0, 2000));
    }
    const auto answer = json::parse(process_.output().lines_from(answered_).front()).as_object();
    ++answered_;
    if (const auto* reason = answer.if_contains("failed")) {
        throw std::runtime_error("Kafka refused " + line.substr(0, 200) + ": " + json::value_to<std::string>(*reason));
    }
    return answer.at("ok");
}

std::string kafka_helper::create_topic(const std::string& topic, int partitions, json::object config) {
    const auto made =
        call("create_topic", {{"topic", topic}, {"partitions", partitions}, {"config", std::move(config)}});
    return json::value_to<std::string>(made.at("topic_id"));
}

void kafka_helper::delete_topic(const std::string& topic) { call("delete_topic", {{"topic", topic}}); }

void kafka_helper::create_partitions(const std::string& topic, int total) {
    call("create_partitions", {{"topic", topic}, {"total", total}});
}

void kafka_helper::delete_records(const std::string& topic, int partition, std::int64_t before) {
    call("delete_records", {{"topic", topic}, {"partition", partition}, {"before", before}});
}

void kafka_helper::produce_many(const std::string& topic, int partitions, std::int64_t count, int value_size,
                                json::object config) {
    call("produce_many",
         {{"topic", topic},
          {"partitions", partitions},
          {"count", count},
          {"value_size", value_size},
          {"config", std::move(config)}},
         std::chrono::minutes(5));
}

void kafka_helper::produce(const std::string& topic, json::array records, const std::string& compression) {
    call("produce", {{"topic", topic}, {"records", std::move(records)}, {"compression", compression}});
}

std::vector<std::string> kafka_helper::read(const std::string& topic, const std::string& isolation) {
    const auto lines =
        call("read", {{"topics", json::array{topic}}, {"isolation", isolation}}, std::chrono::minutes(2));
    return json::value_to<std::vector<std::string>>(lines);
}

json::object kafka_helper::describe_group(const std::string& group) {
    return call("describe_group", {{"group", group}}).as_object();
}

std::string kafka_helper::group_state(const std::string& group) {
    return json::value_to<std::string>(describe_group(group).at("state"));
}

std::map<std::string, std::int64_t> kafka_helper::committed(const std::string& group) {
    std::map<std::string, std::int64_t> offsets;
    const auto answer = call("committed", {{"group", group}});
    for (const auto& [partition, entry] : answer.as_object()) {
        offsets[partition] = entry.at("offset").to_number<std::int64_t>();
    }
    return offsets;
}

int kafka_helper::leader_of(const std::string& topic, int partition) {
    const auto description = call("describe_topic", {{"topic", topic}});
    return description.at("partitions")
        .as_array()
        .at(static_cast<std::size_t>(partition))
        .at("leader")
        .to_number<int>();
}

int kafka_helper::coordinator_of(const std::string& group) {
    return call("coordinator_of", {{"group", group}}).at("broker").to_number<int>();
}

}  // namespace strandline::live
