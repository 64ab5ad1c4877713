// Every message in every version without Kafka: what a decoder owes whatever bytes it is given.
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/random_source.hpp"
#include "tests/conformance/subject.hpp"

namespace strandline::conformance {
namespace {

constexpr int values_of_each = 10;

void for_each_value(std::uint64_t seed,
                    const std::function<void(const subject&, std::int16_t version, const base::shared_bytes&)>& check) {
    base::seeded_random random(seed);
    for (const auto& message : all_subjects()) {
        for (auto version = message.min_version; version <= message.max_version; ++version) {
            for (int i = 0; i < values_of_each; ++i) {
                const auto value = message.random(random, version);
                ASSERT_TRUE(value.has_value()) << value.error();
                check(message, version, *value);
                if (::testing::Test::HasFatalFailure()) return;
            }
        }
    }
}

TEST(wire, what_is_written_is_read_and_written_again_as_it_was) {
    for_each_value(1, [](const subject& message, std::int16_t version, const base::shared_bytes& value) {
        const auto rewritten = message.rewrite(value, version);
        ASSERT_TRUE(rewritten.has_value()) << rewritten.error();
        ASSERT_TRUE(*rewritten == value) << message.name << " v" << version;
    });
}

TEST(wire, every_beginning_of_a_message_is_refused_by_name_and_place) {
    for_each_value(2, [](const subject& message, std::int16_t version, const base::shared_bytes& value) {
        for (std::size_t length = 0; length < value.size(); ++length) {
            const auto error = message.refusal(value.slice(0, length), version);
            ASSERT_TRUE(error.has_value()) << message.name << " v" << version << " of " << length << " bytes";
            ASSERT_EQ(error->message, message.name);
            ASSERT_LE(error->offset, length);
        }
    });
}

TEST(wire, bytes_after_a_message_are_refused) {
    for_each_value(3, [](const subject& message, std::int16_t version, const base::shared_bytes& value) {
        const auto longer = std::string(base::as_text(value)) + '\0';
        const auto error = message.refusal(base::shared_bytes::copy_of(base::as_bytes(longer)), version);
        ASSERT_TRUE(error.has_value()) << message.name << " v" << version;
        ASSERT_EQ(error->kind, protocol::codec_fault::trailing_bytes);
    });
}

TEST(wire, damaged_bytes_are_refused_or_read_as_another_message) {
    base::seeded_random damage(4);
    for_each_value(5, [&](const subject& message, std::int16_t version, const base::shared_bytes& value) {
        if (value.empty()) return;
        for (int i = 0; i < 20; ++i) {
            auto damaged = std::string(base::as_text(value));
            damaged[damage.below(damaged.size())] = static_cast<char>(damage.next());
            const auto bytes = base::shared_bytes::copy_of(base::as_bytes(damaged));
            if (const auto error = message.refusal(bytes, version)) {
                ASSERT_LE(error->offset, bytes.size());
                continue;
            }
            const auto rewritten = message.rewrite(bytes, version);
            ASSERT_TRUE(rewritten.has_value()) << message.name << " v" << version << ": " << rewritten.error();
            ASSERT_FALSE(message.refusal(*rewritten, version)) << message.name << " v" << version;
        }
    });
}

}  // namespace
}  // namespace strandline::conformance
