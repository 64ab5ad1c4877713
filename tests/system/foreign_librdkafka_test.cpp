// librdkafka uses the fake cluster as it uses brokers: it produces, reads what it assigns itself and keeps its offsets
// there. Its classic group protocol the fake cluster does not have, and says so.
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>

#include <strandline/testkit/fake_cluster.hpp>

// librdkafka's macros cast as C does.
#pragma GCC diagnostic ignored "-Wold-style-cast"

namespace strandline {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr auto patience = 20s;

template <auto Destroy>
struct destroyer {
    template <class Object>
    void operator()(Object* object) const {
        Destroy(object);
    }
};
using handle = std::unique_ptr<rd_kafka_t, destroyer<rd_kafka_destroy>>;
using message_ref = std::unique_ptr<rd_kafka_message_t, destroyer<rd_kafka_message_destroy>>;
using partitions = std::unique_ptr<rd_kafka_topic_partition_list_t, destroyer<rd_kafka_topic_partition_list_destroy>>;

using properties = std::vector<std::pair<std::string, std::string>>;

handle make(rd_kafka_type_t type, const testkit::fake_cluster& cluster, const properties& more) {
    std::string reason(512, '\0');
    auto* configuration = rd_kafka_conf_new();
    auto all = more;
    all.emplace_back("bootstrap.servers", cluster.bootstrap_servers());
    for (const auto& [name, value] : all) {
        if (rd_kafka_conf_set(configuration, name.c_str(), value.c_str(), reason.data(), reason.size()) !=
            RD_KAFKA_CONF_OK) {
            throw std::runtime_error(reason);
        }
    }
    handle made(rd_kafka_new(type, configuration, reason.data(), reason.size()));
    if (!made) throw std::runtime_error(reason);
    return made;
}

class producer {
public:
    explicit producer(const testkit::fake_cluster& cluster, const properties& more = {})
        : client_(make(RD_KAFKA_PRODUCER, cluster, more)) {}

    void produce(const std::string& topic, const std::vector<std::string>& values) {
        for (const auto& value : values) {
            // Not rd_kafka_producev: its macros are expressions of the GNU dialect.
            std::array<rd_kafka_vu_t, 4> what{};
            what[0].vtype = RD_KAFKA_VTYPE_TOPIC;
            what[0].u.cstr = topic.c_str();
            what[1].vtype = RD_KAFKA_VTYPE_PARTITION;
            what[1].u.i32 = 0;
            what[2].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
            what[2].u.i = RD_KAFKA_MSG_F_COPY;
            what[3].vtype = RD_KAFKA_VTYPE_VALUE;
            what[3].u.mem = {const_cast<char*>(value.data()), value.size()};
            const std::unique_ptr<rd_kafka_error_t, decltype(&rd_kafka_error_destroy)> failure(
                rd_kafka_produceva(client_.get(), what.data(), what.size()), &rd_kafka_error_destroy);
            ASSERT_EQ(failure, nullptr) << rd_kafka_error_string(failure.get());
        }
        const auto error = rd_kafka_flush(client_.get(), static_cast<int>(patience / 1ms));
        ASSERT_EQ(error, RD_KAFKA_RESP_ERR_NO_ERROR) << rd_kafka_err2str(error);
    }

    rd_kafka_t* get() { return client_.get(); }

private:
    handle client_;
};

class consumer {
public:
    explicit consumer(const testkit::fake_cluster& cluster, const properties& more = {})
        : client_(make(RD_KAFKA_CONSUMER, cluster, with_group(more))) {
        rd_kafka_poll_set_consumer(client_.get());
    }
    ~consumer() { rd_kafka_consumer_close(client_.get()); }
    consumer(const consumer&) = delete;
    consumer& operator=(const consumer&) = delete;

    void assign(const std::string& topic, std::int64_t offset) {
        const auto list = one_partition(topic, offset);
        ASSERT_EQ(rd_kafka_assign(client_.get(), list.get()), RD_KAFKA_RESP_ERR_NO_ERROR);
    }
    void subscribe(const std::string& topic) {
        const auto list = one_partition(topic, RD_KAFKA_OFFSET_INVALID);
        ASSERT_EQ(rd_kafka_subscribe(client_.get(), list.get()), RD_KAFKA_RESP_ERR_NO_ERROR);
    }
    std::vector<std::string> read(std::size_t count) {
        std::vector<std::string> values;
        poll_until([&] { return values.size() >= count; },
                   [&](const rd_kafka_message_t& message) {
                       if (message.err == RD_KAFKA_RESP_ERR_NO_ERROR) {
                           values.emplace_back(static_cast<const char*>(message.payload), message.len);
                       }
                   });
        return values;
    }
    // What it reports instead of records.
    rd_kafka_resp_err_t read_error() {
        auto error = RD_KAFKA_RESP_ERR_NO_ERROR;
        poll_until([&] { return error != RD_KAFKA_RESP_ERR_NO_ERROR; },
                   [&](const rd_kafka_message_t& message) { error = message.err; });
        return error;
    }
    void commit(const std::string& topic, std::int64_t offset) {
        const auto list = one_partition(topic, offset);
        const auto error = rd_kafka_commit(client_.get(), list.get(), 0);
        ASSERT_EQ(error, RD_KAFKA_RESP_ERR_NO_ERROR) << rd_kafka_err2str(error);
    }
    std::int64_t committed(const std::string& topic) {
        const auto list = one_partition(topic, RD_KAFKA_OFFSET_INVALID);
        const auto error = rd_kafka_committed(client_.get(), list.get(), static_cast<int>(patience / 1ms));
        EXPECT_EQ(error, RD_KAFKA_RESP_ERR_NO_ERROR) << rd_kafka_err2str(error);
        return list->elems[0].offset;
    }
    std::pair<std::int64_t, std::int64_t> ends(const std::string& topic) {
        std::int64_t low = -1;
        std::int64_t high = -1;
        const auto error = rd_kafka_query_watermark_offsets(client_.get(), topic.c_str(), 0, &low, &high,
                                                            static_cast<int>(patience / 1ms));
        EXPECT_EQ(error, RD_KAFKA_RESP_ERR_NO_ERROR) << rd_kafka_err2str(error);
        return {low, high};
    }

private:
    static properties with_group(properties more) {
        more.emplace_back("group.id", "readers");
        more.emplace_back("auto.offset.reset", "earliest");
        more.emplace_back("enable.auto.commit", "false");
        return more;
    }
    static partitions one_partition(const std::string& topic, std::int64_t offset) {
        partitions list(rd_kafka_topic_partition_list_new(1));
        rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), 0)->offset = offset;
        return list;
    }
    void poll_until(const std::function<bool()>& done, const std::function<void(const rd_kafka_message_t&)>& take) {
        for (const auto deadline = clock::now() + patience; !done() && clock::now() < deadline;) {
            if (const message_ref message{rd_kafka_consumer_poll(client_.get(), 100)}) take(*message);
        }
    }

    handle client_;
};

struct librdkafka : testing::Test {
    testkit::fake_cluster cluster{{.topics = {{"orders"}}, .brokers = 3}};
};

const std::vector<std::string> three{"one", "two", "three"};

TEST_F(librdkafka, reads_by_assignment_what_it_produced) {
    producer(cluster).produce("orders", three);
    consumer reader(cluster);
    reader.assign("orders", RD_KAFKA_OFFSET_BEGINNING);
    EXPECT_EQ(reader.read(3), three);
}

TEST_F(librdkafka, produces_compressed_and_idempotently) {
    for (const auto* codec : {"gzip", "snappy", "lz4", "zstd"}) {
        producer(cluster, {{"compression.codec", codec}, {"enable.idempotence", "true"}})
            .produce("orders", std::vector<std::string>(20, std::string(200, 'x')));
    }
    consumer reader(cluster);
    reader.assign("orders", 0);
    EXPECT_EQ(reader.read(80).size(), 80U);
}

TEST_F(librdkafka, asks_where_a_partition_begins_and_ends) {
    producer(cluster).produce("orders", three);
    consumer reader(cluster);
    EXPECT_EQ(reader.ends("orders"), (std::pair<std::int64_t, std::int64_t>(0, 3)));
    cluster.delete_records_before("orders", 0, 1);
    EXPECT_EQ(reader.ends("orders"), (std::pair<std::int64_t, std::int64_t>(1, 3)));
}

TEST_F(librdkafka, commits_and_goes_on_from_there) {
    producer(cluster).produce("orders", three);
    {
        consumer reader(cluster);
        reader.assign("orders", 0);
        EXPECT_EQ(reader.read(1).front(), "one");
        reader.commit("orders", 1);
        EXPECT_EQ(reader.committed("orders"), 1);
    }
    EXPECT_EQ(cluster.committed("readers").at({"orders", 0}).offset, 1);
    consumer next(cluster);
    next.assign("orders", RD_KAFKA_OFFSET_STORED);
    EXPECT_EQ(next.read(2), (std::vector<std::string>{"two", "three"}));
}

TEST_F(librdkafka, sees_committed_records_only) {
    producer writer(cluster, {{"transactional.id", "teller"}});
    const auto succeed = [](rd_kafka_error_t* error) { ASSERT_EQ(error, nullptr) << rd_kafka_error_string(error); };
    constexpr auto limit = static_cast<int>(patience / 1ms);
    succeed(rd_kafka_init_transactions(writer.get(), limit));
    succeed(rd_kafka_begin_transaction(writer.get()));
    writer.produce("orders", {"aborted"});
    succeed(rd_kafka_abort_transaction(writer.get(), limit));
    succeed(rd_kafka_begin_transaction(writer.get()));
    writer.produce("orders", three);
    succeed(rd_kafka_commit_transaction(writer.get(), limit));
    consumer reader(cluster, {{"isolation.level", "read_committed"}});
    reader.assign("orders", 0);
    EXPECT_EQ(reader.read(3), three);
}

TEST_F(librdkafka, is_told_that_there_are_no_classic_groups) {
    consumer member(cluster);
    member.subscribe("orders");
    EXPECT_EQ(member.read_error(), RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE);
}

}  // namespace
}  // namespace strandline
