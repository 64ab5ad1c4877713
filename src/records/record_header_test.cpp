#include "records/record_header.hpp"

#include <gtest/gtest.h>

#include "records/reading_testsupport.hpp"

namespace strandline::records {
namespace {

TEST(record_header, keeps_order_repetition_and_null_values) {
    const record_header written[] = {{"b", base::as_bytes("1")}, {"a", std::nullopt}, {"b", base::as_bytes("")}};
    batch_builder builder;
    builder.append({.timestamp = 0, .key = {}, .value = {}, .headers = written});
    const auto batch = *batch_scanner::single(builder.build());
    decompression_context context;
    record_reader reader(batch, context);
    record_view view;
    ASSERT_EQ(reader.next(view), read_status::record);
    EXPECT_EQ(view.headers(), std::vector<record_header>(std::begin(written), std::end(written)));
}

TEST(record_header, of_a_record_without_headers_there_is_none) { EXPECT_TRUE(record_view().headers().empty()); }

TEST(record_header, long_names_and_values_are_whole) {
    const std::string name(300, 'n');
    const std::string value(70'000, 'v');
    const record_header written[] = {{name, base::as_bytes(value)}};
    batch_builder builder;
    builder.append({.timestamp = 0, .key = {}, .value = {}, .headers = written});
    const auto all = testsupport::read_all(builder.build());
    ASSERT_EQ(all.records.size(), 1U);
    EXPECT_EQ(all.records[0].headers[0].first, name);
    EXPECT_EQ(all.records[0].headers[0].second, value);
}

TEST(record_header, names_values_and_their_absence_are_compared) {
    const auto with = [](std::string_view name, std::optional<std::string_view> value) {
        return record_header{name, value ? std::optional(base::as_bytes(*value)) : std::nullopt};
    };
    EXPECT_EQ(with("a", "1"), with("a", "1"));
    EXPECT_EQ(with("a", std::nullopt), with("a", std::nullopt));
    EXPECT_NE(with("a", "1"), with("b", "1"));
    EXPECT_NE(with("a", "1"), with("a", "2"));
    EXPECT_NE(with("a", ""), with("a", std::nullopt));
}

}  // namespace
}  // namespace strandline::records
