#include "records/control_record.hpp"

#include <gtest/gtest.h>

#include "records/batch_stamp.hpp"
#include "records/reading_testsupport.hpp"

namespace strandline::records {
namespace {

using namespace testsupport;

result<std::optional<control_record>> read_with(const std::optional<std::string_view>& key, std::string_view value,
                                                compression_codec codec = compression_codec::none) {
    batch_builder builder({.codec = codec, .base_offset = 9, .producer_id = 1, .control = true});
    builder.append({.timestamp = 0,
                    .key = key ? std::optional(base::as_bytes(*key)) : std::nullopt,
                    .value = base::as_bytes(value)});
    return read_control_record(*batch_scanner::single(builder.build()));
}

constexpr std::string_view abort_key("\0\0\0\0", 4);
constexpr std::string_view epoch_42("\0\0\0\0\0*", 6);

TEST(control_record, markers_give_their_type_and_the_coordinators_epoch) {
    const auto marker = make_transaction_marker(control_record_type::commit, 5, 1, 0, 42);
    EXPECT_EQ(read_control_record(*batch_scanner::single(marker)),
              (control_record{.version = 0, .type = control_record_type::commit, .coordinator_epoch = 42}));
    EXPECT_EQ(read_with(abort_key, epoch_42),
              (control_record{.version = 0, .type = control_record_type::abort, .coordinator_epoch = 42}));
}

TEST(control_record, newer_versions_may_be_longer) {
    EXPECT_EQ(read_with(std::string_view("\0\1\0\0more", 8), std::string_view("\0\1\0\0\0*more", 10)),
              (control_record{.version = 1, .type = control_record_type::abort, .coordinator_epoch = 42}));
}

TEST(control_record, other_types_are_passed_through) {
    EXPECT_EQ(read_with(std::string_view("\0\0\0\2", 4), "leader"),
              (control_record{.version = 0, .type = control_record_type::leader_change, .coordinator_epoch = -1}));
    EXPECT_EQ(read_with(std::string_view("\0\0\1\0", 4), ""),
              (control_record{.version = 0, .type = control_record_type{256}, .coordinator_epoch = -1}));
}

TEST(control_record, a_marker_may_be_compressed) {
    EXPECT_EQ(read_with(abort_key, epoch_42, compression_codec::zstd),
              (control_record{.version = 0, .type = control_record_type::abort, .coordinator_epoch = 42}));
}

TEST(control_record, compaction_may_have_left_none) {
    batch_builder emptied({.base_offset = 9, .producer_id = 1, .control = true});
    const auto read = read_control_record(*batch_scanner::single(emptied.build()));
    ASSERT_TRUE(read);
    EXPECT_FALSE(read->has_value());
}

TEST(control_record, keys_without_version_and_type_are_malformed) {
    for (const std::optional<std::string_view> key :
         {std::optional<std::string_view>(), std::optional<std::string_view>(""),
          std::optional(std::string_view("\0\0\0", 3)), std::optional(std::string_view("\xff\xff\0\0", 4))}) {
        const auto read = read_with(key, epoch_42);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().kind, record_error_kind::malformed_record);
        EXPECT_EQ(read.error().offset, 9);
    }
}

TEST(control_record, a_value_that_is_missing_or_too_short_leaves_the_epoch_unknown) {
    EXPECT_EQ(read_with(abort_key, "\0\0"),
              (control_record{.version = 0, .type = control_record_type::abort, .coordinator_epoch = -1}));
    batch_builder builder({.base_offset = 9, .producer_id = 1, .control = true});
    builder.append({.timestamp = 0, .key = base::as_bytes(abort_key), .value = std::nullopt});
    EXPECT_EQ(read_control_record(*batch_scanner::single(builder.build())),
              (control_record{.version = 0, .type = control_record_type::abort, .coordinator_epoch = -1}));
}

TEST(control_record, a_record_that_cannot_be_read_is_an_error) {
    auto bytes = writable_copy(make_transaction_marker(control_record_type::commit, 5, 1, 0, 42));
    // 63 as a zigzag varint: more than there is.
    bytes[batch_layout::records] = std::byte{0x7e};
    seal_batch(bytes);
    const auto read = read_control_record(*batch_scanner::single(base::shared_bytes::copy_of(bytes)));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, record_error_kind::bytes_missing);
}

}  // namespace
}  // namespace strandline::records
