#include <set>
#include <string>

#include <gtest/gtest.h>

#include <strandline/error.hpp>

namespace strandline {
namespace {

TEST(client_category, has_words_of_its_own_for_every_code) {
    const auto& category = client_category();
    EXPECT_STREQ(category.name(), "strandline");
    std::set<std::string> words;
    const auto first = static_cast<int>(errc::invalid_configuration);
    const auto last = static_cast<int>(errc::callback_failed);
    for (int code = first; code <= last; ++code) {
        const auto message = category.message(code);
        EXPECT_FALSE(message.starts_with("unknown")) << code;
        EXPECT_TRUE(words.insert(message).second) << code << " says what another says: " << message;
    }
    EXPECT_EQ(category.message(first - 1), "unknown client error " + std::to_string(first - 1));
    EXPECT_EQ(category.message(last + 1), "unknown client error " + std::to_string(last + 1));
}

TEST(kafka_category, has_kafkas_numbers_and_names) {
    const std::error_code code(16, kafka_category());
    EXPECT_STREQ(code.category().name(), "kafka");
    EXPECT_TRUE(code.message().starts_with("NOT_COORDINATOR: ")) << code.message();
    EXPECT_NE(code, std::error_code(16, client_category()));
}

TEST(error, carries_what_happened_about_what_and_what_helps) {
    error_subject about;
    about.broker = 3;
    const error reason(errc::timed_out, "no answer of broker 3 within 5 s", about, {.retriable = true});
    EXPECT_EQ(reason.code(), errc::timed_out);
    EXPECT_EQ(reason.message(), "no answer of broker 3 within 5 s");
    EXPECT_EQ(reason.about().broker, 3);
    EXPECT_TRUE(reason.retriable());
    EXPECT_FALSE(reason.fatal());
    const exception thrown(reason);
    EXPECT_EQ(thrown.what(), reason.message());
    EXPECT_EQ(thrown.reason().code(), reason.code());
}

}  // namespace
}  // namespace strandline
