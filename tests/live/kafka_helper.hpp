// Kafka's own admin client, producers and consumers, in one long-lived Java process: tests/java/KafkaHelper.java, which
// says what each command takes and gives.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "tests/live/child_process.hpp"

namespace strandline::live {

namespace json = boost::json;

class kafka_helper {
public:
    using milliseconds = std::chrono::milliseconds;

    // `jars`: a folder of Kafka's jars; `log`: where its stderr goes. Throws when Java or the jars are missing.
    kafka_helper(const std::string& bootstrap_servers, const std::filesystem::path& log);

    // What stands behind "ok"; throws std::runtime_error with the command and the reason when it failed.
    json::value call(std::string_view command, json::object request = {},
                     milliseconds timeout = std::chrono::seconds(60));

    // The commands most tests need, by name. Each throws as call() does.
    std::string create_topic(const std::string& topic, int partitions, json::object config = {});
    void delete_topic(const std::string& topic);
    void create_partitions(const std::string& topic, int total);
    void delete_records(const std::string& topic, int partition, std::int64_t before);
    // Number i goes to partition i mod partitions; key "i".
    void produce_many(const std::string& topic, int partitions, std::int64_t count, int value_size = 20,
                      json::object config = {});
    void produce(const std::string& topic, json::array records, const std::string& compression = "none");
    // What Kafka's own consumer reads, in the layout of `strandline consume -J`.
    std::vector<std::string> read(const std::string& topic, const std::string& isolation = "read_committed");
    std::string group_state(const std::string& group);
    json::object describe_group(const std::string& group);
    // "topic-partition" -> committed offset.
    std::map<std::string, std::int64_t> committed(const std::string& group);
    int leader_of(const std::string& topic, int partition = 0);
    int coordinator_of(const std::string& group);

private:
    child_process process_;
    std::size_t answered_ = 0;
};

}  // namespace strandline::live
