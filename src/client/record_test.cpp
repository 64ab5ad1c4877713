#include <optional>

#include <gtest/gtest.h>

#include <strandline/record.hpp>

#include "records/batch_builder.hpp"
#include "records/batch_scanner.hpp"
#include "records/record_reader.hpp"

namespace strandline {
namespace {

TEST(header_range, walks_headers_in_their_order_and_as_often_as_one_likes) {
    using base::as_bytes;
    const strandline::records::record_header written[] = {
        {"b", as_bytes("1")}, {"a", std::nullopt}, {"b", as_bytes("")}};
    strandline::records::batch_builder builder;
    builder.append({.timestamp = 0, .key = {}, .value = {}, .headers = written});
    const auto batch = *strandline::records::batch_scanner::single(builder.build());
    strandline::records::decompression_context context;
    strandline::records::record_reader reader(batch, context);
    strandline::records::record_view view;
    ASSERT_EQ(reader.next(view), strandline::records::read_status::record);

    const header_range headers(view.header_data, view.header_count);
    EXPECT_EQ(headers.size(), 3U);
    for (int walk = 0; walk < 2; ++walk) {
        auto at = headers.begin();
        EXPECT_EQ(at->name, "b");
        EXPECT_EQ(at->value_text(), "1");
        EXPECT_EQ((at++)->name, "b");
        EXPECT_EQ(at->name, "a");
        EXPECT_FALSE((*at).value.has_value()) << "null is not empty";
        ++at;
        EXPECT_EQ(at->value_text(), "");
        EXPECT_EQ(++at, headers.end());
    }
}

TEST(header_range, of_a_record_without_headers_is_empty) {
    EXPECT_TRUE(header_range().empty());
    EXPECT_EQ(header_range().begin(), header_range().end());
}

}  // namespace
}  // namespace strandline
