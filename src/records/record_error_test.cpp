#include "records/record_error.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "records/timestamp_type.hpp"

namespace strandline::records {
namespace {

TEST(record_error, every_kind_has_words_of_its_own) {
    std::set<std::string_view> words;
    constexpr int kinds = static_cast<int>(record_error_kind::decompressed_too_large) + 1;
    for (int kind = static_cast<int>(record_error_kind::bad_size); kind < kinds; ++kind) {
        words.insert(to_string(static_cast<record_error_kind>(kind)));
    }
    EXPECT_EQ(words.size(), static_cast<std::size_t>(kinds - static_cast<int>(record_error_kind::bad_size)));
    EXPECT_FALSE(words.contains("unknown error"));
    EXPECT_EQ(to_string(record_error_kind{100}), "unknown error");
}

TEST(record_error, says_where_in_which_codec_and_what) {
    EXPECT_EQ(to_string(record_error{record_error_kind::bad_size, compression_codec::none, 7, ""}),
              "bad size at offset 7");
    EXPECT_EQ(to_string(record_error{record_error_kind::undecompressable, compression_codec::lz4, 7, "no frame"}),
              "cannot be decompressed at offset 7 (lz4): no frame");
}

TEST(compression_codec, every_codec_has_the_name_that_kafka_gives_it) {
    EXPECT_EQ(to_string(compression_codec::none), "none");
    EXPECT_EQ(to_string(compression_codec::gzip), "gzip");
    EXPECT_EQ(to_string(compression_codec::snappy), "snappy");
    EXPECT_EQ(to_string(compression_codec::lz4), "lz4");
    EXPECT_EQ(to_string(compression_codec::zstd), "zstd");
    EXPECT_EQ(to_string(compression_codec{7}), "unknown codec");
}

TEST(timestamp_type, every_type_has_words) {
    EXPECT_EQ(to_string(timestamp_type::none), "no timestamp");
    EXPECT_EQ(to_string(timestamp_type::create_time), "create time");
    EXPECT_EQ(to_string(timestamp_type::log_append_time), "log append time");
    EXPECT_EQ(to_string(timestamp_type{5}), "unknown timestamp type");
}

}  // namespace
}  // namespace strandline::records
