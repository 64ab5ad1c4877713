// The fake cluster against a real broker: every story is played to both, their answers are compared field by field.
// STRANDLINE_KAFKA_VERSION says which broker (4.4.0); what an older one does not speak is passed over.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/loopback_front.hpp"
#include "tests/conformance/broker/player.hpp"
#include "tests/conformance/broker/requests.hpp"
#include "tests/conformance/broker/stories.hpp"
#include "tests/live/installation.hpp"
#include "tests/live/kafka_cluster.hpp"

namespace strandline::conformance::broker {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

std::string kafka_version() {
    const char* const asked = std::getenv("STRANDLINE_KAFKA_VERSION");  // NOLINT(concurrency-mt-unsafe): no threads yet
    return asked ? asked : live::newest_kafka;
}

// As tests/java/broker.properties has it.
testkit::fake::cluster_options like_the_test_brokers() {
    testkit::fake::cluster_options options;
    options.groups.session_timeout = 30s;
    options.groups.heartbeat_interval = 500ms;
    options.internal_partitions = 4;
    return options;
}

std::uint16_t port_of(const std::string& address) {
    return static_cast<std::uint16_t>(std::stoul(address.substr(address.rfind(':') + 1)));
}

// A new cluster does not know its coordinators yet, and loads each partition of their topics when it is first asked.
std::vector<step> until_it_is_ready() {
    std::vector<step> steps;
    for (int i = 0; i < 12; ++i) {
        const auto name = "ready-" + std::to_string(i);
        steps.push_back(step("a coordinator", 4, coordinator(name)).until("/coordinators/0/errorCode", 0));
        steps.push_back(step("which answers", 8, everything_committed(name)).until("/groups/0/errorCode", 0));
        steps.push_back(step("another", 4, coordinator(name, 1)).until("/coordinators/0/errorCode", 0));
        steps.push_back(step("which answers", 4, init_producer(name)).until("/errorCode", 0));
    }
    return steps;
}

// One of each for all stories.
class two_clusters {
public:
    two_clusters()
        : fake_(like_the_test_brokers(), 0),
          kafka_({.name = "broker-conformance-" + kafka_version(),
                  .version = kafka_version(),
                  .settings = {"auto.create.topics.enable=true",
                               // Stories that wait for one cluster must not lose their members in the other.
                               "group.consumer.session.timeout.ms=30000",
                               // As before 4.4, and as the fake cluster: who joins is given its partitions at once.
                               "group.consumer.assignment.interval.ms=0",
                               "group.consumer.assignor.offload.enable=false"}}) {
        fake_.with_core([&](testkit::fake::fake_cluster_core& core, base::instant, base::wall_time) {
            fake_port_ = core.cluster().brokers().begin()->second.port;
            fake_id_ = core.cluster().cluster_id();
        });
        kafka_port_ = port_of(kafka_.address_of(1));
        const auto spoken = player(kafka_port_).versions();
        versions_.insert(spoken.begin(), spoken.end());
        auto ours = fake_player();
        auto kafkas = kafka_player();
        for (const auto& one : until_it_is_ready()) {
            ours.play(one);
            kafkas.play(one);
        }
        kafka_id_ = kafka_.kafka().call("describe_cluster").at("cluster_id").as_string();
    }

    player fake_player() const {
        return player(fake_port_, {{"port", std::int64_t{fake_port_}}, {"clusterId", json::value(fake_id_)}});
    }
    player kafka_player() const {
        return player(kafka_port_, {{"port", std::int64_t{kafka_port_}}, {"clusterId", json::value(kafka_id_)}});
    }
    const std::set<protocol::api_version_range>& versions() const { return versions_; }
    bool speaks(protocol::api_key key, std::int16_t version) const {
        return std::any_of(versions_.begin(), versions_.end(),
                           [&](const auto& one) { return one.key == key && one.versions.contains(version); });
    }

private:
    testkit::fake::loopback_front fake_;
    live::kafka_cluster kafka_;
    std::uint16_t fake_port_ = 0;
    std::uint16_t kafka_port_ = 0;
    std::string fake_id_;
    std::string kafka_id_;
    std::set<protocol::api_version_range> versions_;
};

two_clusters& clusters() {
    static two_clusters both;
    return both;
}

struct tally {
    int played = 0;
    int stories = 0;
    int passed_over = 0;
};
tally& done() {
    static tally counted;
    return counted;
}

class broker_conformance : public testing::TestWithParam<story> {
protected:
    static void TearDownTestSuite() {
        std::cout << "Kafka " << kafka_version() << ": " << done().played << " steps of " << done().stories
                  << " stories compared, " << done().passed_over << " stories passed over\n";
    }
};

bool is_spoken(const story& told) {
    return told.since <= kafka_version() && std::all_of(told.steps.begin(), told.steps.end(), [](const step& one) {
               return one.claimed_version >= 0 || clusters().speaks(one.asked.key(), one.version);
           });
}

// The fake cluster uses the words and counts the epochs of the newest version.
step for_that_version(step one) {
    if (kafka_version() == live::newest_kafka) return one;
    for (const auto* field : {"errorMessage", "groupEpoch", "assignmentEpoch", "memberEpoch"}) {
        one.may_differ.emplace_back(field);
    }
    one.may_differ.insert(one.may_differ.end(), one.may_differ_from_older.begin(), one.may_differ_from_older.end());
    return one;
}

TEST_P(broker_conformance, the_fake_cluster_answers_as_kafka_does) {
    const auto& told = GetParam();
    if (!is_spoken(told)) {
        ++done().passed_over;
        GTEST_SKIP() << "not spoken by Kafka " << kafka_version();
    }
    auto ours = clusters().fake_player();
    auto kafkas = clusters().kafka_player();
    ++done().stories;
    for (const auto& one : told.steps) {
        SCOPED_TRACE(told.name + ": " + one.says);
        json::value our_answer;
        json::value kafkas_answer;
        try {
            our_answer = ours.play(one);
            kafkas_answer = kafkas.play(one);
        } catch (const std::exception& failure) {
            // Nothing that follows would mean anything.
            FAIL() << failure.what();
        }
        ++done().played;
        const auto wrong = difference(for_that_version(one), our_answer, kafkas_answer);
        EXPECT_TRUE(wrong.empty()) << "version " << one.version << "\n"
                                   << wrong << "Kafka: " << json::serialize(kafkas_answer);
    }
}

std::string test_name(const testing::TestParamInfo<story>& info) {
    std::string name;
    for (const char c : info.param.name) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(story, broker_conformance, testing::ValuesIn(all_stories()), test_name);

TEST(broker_conformance_list, has_at_least_150_steps) {
    std::size_t steps = 0;
    for (const auto& told : all_stories()) steps += told.steps.size();
    EXPECT_GE(steps, 150U);
}

TEST(broker_conformance_list, asks_for_every_api_that_the_fake_cluster_has) {
    std::set<protocol::api_key> asked;
    for (const auto& told : all_stories()) {
        for (const auto& one : told.steps) asked.insert(one.asked.key());
    }
    for (const auto& handler : testkit::fake::all_handlers()) EXPECT_TRUE(asked.contains(handler.api)) << handler.api;
}

TEST(broker_conformance_list, the_fake_cluster_speaks_what_the_newest_kafka_speaks) {
    if (kafka_version() != live::newest_kafka) GTEST_SKIP() << "an older one speaks less";
    for (const auto& handler : testkit::fake::all_handlers()) {
        for (auto version = handler.min_version; version <= handler.max_version; ++version) {
            EXPECT_TRUE(clusters().speaks(handler.api, version)) << handler.api << " " << version;
        }
    }
}

}  // namespace
}  // namespace strandline::conformance::broker
