// Every message in every version against Kafka's own classes, byte by byte and name by name.
// STRANDLINE_CONFORMANCE_VALUES says how many values of each (1,000), STRANDLINE_CONFORMANCE_SEED repeats a run.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random_source.hpp"
#include "protocol/api_versions.hpp"
#include "tests/conformance/kafka_messages.hpp"
#include "tests/conformance/subject.hpp"

namespace strandline::conformance {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before anything else runs
    return text ? std::stoull(text) : otherwise;
}

// Values whose every beginning is tried. Few: the number of beginnings grows with the square of the bytes.
constexpr std::size_t truncated_values = 20;

struct tally {
    std::size_t values = 0;
    std::size_t beginnings = 0;
    std::set<std::pair<std::string, std::int16_t>> ran;
};

// One message in one version, in both directions.
class trial {
public:
    trial(const subject& message, std::int16_t version, kafka_messages& kafka, tally& done)
        : message_(message), version_(version), kafka_(kafka), done_(done) {}

    void run(std::size_t count, std::uint64_t seed) {
        base::seeded_random random(seed);
        const auto ours = our_values(count, random);
        check_rewritten(ours, kafka_.rewrite(message_.name, version_, ours));
        check_read(kafka_.random(message_.name, version_, count, random.next()));
        for (std::size_t i = 0; i < std::min(count, truncated_values); ++i) check_beginnings(ours[i]);
        done_.values += 2 * count;
        done_.ran.emplace(message_.name, version_);
    }

private:
    std::vector<base::shared_bytes> our_values(std::size_t count, base::random_source& random) const {
        std::vector<base::shared_bytes> values;
        values.reserve(count);
        for (std::size_t i = 0; i < count; ++i) values.push_back(message_.random(random, version_).value());
        return values;
    }

    // Ours encoded -> Kafka decodes and encodes: the same bytes, and every field has the name it should.
    void check_rewritten(const std::vector<base::shared_bytes>& ours, const std::vector<kafka_value>& theirs) const {
        ASSERT_EQ(ours.size(), theirs.size());
        for (std::size_t i = 0; i < ours.size(); ++i) {
            ASSERT_TRUE(ours[i] == theirs[i].bytes) << where(i) << ": Kafka writes our value in another way";
            ASSERT_EQ(json_difference(message_, ours[i], version_, theirs[i].json), std::nullopt) << where(i);
        }
    }

    // Kafka's encoded -> ours decodes and encodes.
    void check_read(const std::vector<kafka_value>& theirs) const {
        for (std::size_t i = 0; i < theirs.size(); ++i) {
            const auto rewritten = message_.rewrite(theirs[i].bytes, version_);
            ASSERT_TRUE(rewritten.has_value()) << where(i) << ": " << rewritten.error();
            ASSERT_TRUE(*rewritten == theirs[i].bytes) << where(i) << ": we write Kafka's value in another way";
            ASSERT_EQ(json_difference(message_, theirs[i].bytes, version_, theirs[i].json), std::nullopt) << where(i);
        }
    }

    void check_beginnings(const base::shared_bytes& whole) const {
        for (std::size_t length = 0; length < whole.size(); ++length) {
            const auto error = message_.refusal(whole.slice(0, length), version_);
            ASSERT_TRUE(error.has_value()) << where(length) << ": read although it is cut short";
            ASSERT_EQ(error->message, message_.name);
            ASSERT_LE(error->offset, length);
            ++done_.beginnings;
        }
    }

    std::string where(std::size_t index) const {
        return std::string(message_.name) + " v" + std::to_string(version_) + ", value " + std::to_string(index);
    }

    const subject& message_;
    std::int16_t version_;
    kafka_messages& kafka_;
    tally& done_;
};

TEST(conformance, every_message_of_every_version_is_what_kafka_reads_and_writes) {
    const auto count = from_environment("STRANDLINE_CONFORMANCE_VALUES", 1'000);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto seed = from_environment("STRANDLINE_CONFORMANCE_SEED", static_cast<std::uint64_t>(now.count()));
    std::cout << "seed " << seed << std::endl;

    kafka_messages kafka;
    tally done;
    base::seeded_random seeds(seed);
    for (const auto& message : all_subjects()) {
        for (auto version = message.min_version; version <= message.max_version; ++version) {
            trial(message, version, kafka, done).run(count, seeds.next());
            if (HasFatalFailure()) return;
        }
    }

    std::cout << all_subjects().size() << " messages, " << done.ran.size() << " message versions, " << done.values
              << " values, each read and written by Kafka and by us; " << done.beginnings
              << " values cut short and refused" << std::endl;

    for (const auto& api : protocol::spoken_apis()) {
        for (auto version = api.versions.min; version <= api.versions.max; ++version) {
            const std::string name(protocol::name(api.key));
            EXPECT_TRUE(done.ran.contains({name + "Request", version})) << api.key << " v" << version << " did not run";
            EXPECT_TRUE(done.ran.contains({name + "Response", version}))
                << api.key << " v" << version << " did not run";
        }
    }
}

TEST(conformance, we_speak_every_stable_version_of_the_apis_we_speak) {
    std::map<protocol::api_key, protocol::version_range> theirs;
    for (const auto& api : kafka_messages().apis()) theirs[api.key] = api.versions;
    for (const auto& [key, versions] : protocol::spoken_apis()) {
        EXPECT_EQ(versions.min, theirs.at(key).min) << key;
        EXPECT_EQ(versions.max, theirs.at(key).max) << key;
    }
}

}  // namespace
}  // namespace strandline::conformance
