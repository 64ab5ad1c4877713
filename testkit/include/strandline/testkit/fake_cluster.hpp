// A Kafka cluster in your own process, for tests of your own program: real wire protocol on loopback ports.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <strandline/export.hpp>
#include <strandline/offsets.hpp>
#include <strandline/topic_partition.hpp>

namespace strandline::testkit::inline v0 {

struct fake_topic {
    std::string name;
    std::int32_t partitions = 1;
    std::int16_t replication = 1;
};

// Every field has a default that suits a test.
struct fake_cluster_config {
    std::vector<fake_topic> topics = {};
    int brokers = 1;
    // By broker; missing: no rack.
    std::vector<std::string> racks = {};
    // Of the first broker; 0: a free one. The others always get free ones.
    std::uint16_t port = 0;
    // Metadata requests may create topics, with this many partitions.
    bool auto_create_topics = true;
    std::int32_t default_partitions = 1;
    std::chrono::milliseconds session_timeout = std::chrono::seconds(45);
    std::chrono::milliseconds heartbeat_interval = std::chrono::seconds(5);
    // Member ids, topic ids and the like are made from it.
    std::uint64_t seed = 1;
};

struct fake_header {
    std::string name;
    std::optional<std::string> value = {};
};

struct fake_record {
    std::optional<std::string> key = {};
    std::optional<std::string> value = {};
    std::vector<fake_header> headers = {};
    // None: the time at which it is produced.
    std::optional<std::chrono::sys_time<std::chrono::milliseconds>> timestamp = {};
};

// The APIs that can be controlled.
enum class api : std::int16_t {
    produce = 0,
    fetch = 1,
    list_offsets = 2,
    metadata = 3,
    offset_commit = 8,
    offset_fetch = 9,
    find_coordinator = 10,
    describe_groups = 15,
    list_groups = 16,
    api_versions = 18,
    create_topics = 19,
    delete_topics = 20,
    delete_records = 21,
    init_producer_id = 22,
    offset_for_leader_epoch = 23,
    add_partitions_to_txn = 24,
    add_offsets_to_txn = 25,
    end_txn = 26,
    txn_offset_commit = 28,
    describe_configs = 32,
    create_partitions = 37,
    delete_groups = 42,
    incremental_alter_configs = 44,
    offset_delete = 47,
    describe_cluster = 60,
    consumer_group_heartbeat = 68,
    consumer_group_describe = 69,
    describe_topic_partitions = 75,
};

// A request that a test has its hand on. Without a call below it is handled as usual.
class STRANDLINE_API controlled_request {
public:
    std::int16_t version() const noexcept { return version_; }
    std::int32_t broker() const noexcept { return broker_; }
    // Answers with this error code of Kafka's wherever the answer has one.
    void fail(std::int16_t error_code) noexcept { error_code_ = error_code; }
    // Never answers; the connection stays open and stuck, as with a broker that hangs.
    void drop() noexcept { drop_ = true; }
    void close_connection() noexcept { close_ = true; }
    void delay(std::chrono::milliseconds by) noexcept { delay_ = by; }

private:
    friend class fake_cluster;
    std::int16_t version_ = 0;
    std::int32_t broker_ = 0;
    std::optional<std::int16_t> error_code_;
    bool drop_ = false;
    bool close_ = false;
    std::chrono::milliseconds delay_{0};
};

// Runs until it is destroyed, on one thread of its own. Any thread may call; calls return when what they ask for is
// done. Refuses the classic group protocol; there is no TLS and no authentication.
class STRANDLINE_API fake_cluster {
public:
    using control_handler = std::function<void(controlled_request&)>;

    // Throws std::system_error if a port cannot be had.
    explicit fake_cluster(const fake_cluster_config& config = {});
    ~fake_cluster();
    fake_cluster(fake_cluster&&) noexcept;
    fake_cluster& operator=(fake_cluster&&) noexcept;

    // "127.0.0.1:40001,127.0.0.1:40002".
    std::string bootstrap_servers() const;

    // ---- topics and records
    void create_topic(const fake_topic& topic);
    void delete_topic(const std::string& name);
    void add_partitions(const std::string& topic, std::int32_t total);
    // One batch; returns the offset of its first record. Throws std::invalid_argument for an unknown partition.
    std::int64_t produce(const std::string& topic, std::int32_t partition, const std::vector<fake_record>& records);
    std::int64_t end_offset(const std::string& topic, std::int32_t partition) const;
    void delete_records_before(const std::string& topic, std::int32_t partition, std::int64_t offset);
    // An unclean election: the log loses everything from there on, and a new leader epoch begins.
    void truncate(const std::string& topic, std::int32_t partition, std::int64_t offset);

    // ---- brokers
    void stop_broker(std::int32_t broker);
    void start_broker(std::int32_t broker);
    void move_leader(const std::string& topic, std::int32_t partition, std::int32_t broker);
    void move_coordinator(const std::string& group, std::int32_t broker);

    // ---- groups
    // What the group has committed, by name.
    offsets committed(const std::string& group) const;
    std::vector<std::string> members(const std::string& group) const;

    // Every request of this API passes `handler` first, on the cluster's thread; it must not call the cluster. Counts
    // from the call on, until the number it returns is given to uncontrol.
    std::uint64_t control(api which, control_handler handler);
    void uncontrol(std::uint64_t control);
    // How many requests of this API have come so far.
    std::uint64_t requests_seen(api which) const;

private:
    class running;
    std::unique_ptr<running> running_;
};

}  // namespace strandline::testkit::inline v0
