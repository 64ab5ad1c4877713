#include "client/fetched_batches.hpp"

#include <cstddef>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "records/batch_builder.hpp"
#include "records/control_record.hpp"

namespace strandline::client {
namespace {

base::shared_bytes batch(std::int64_t offset, std::int64_t producer, bool transactional, int records = 1) {
    records::batch_builder builder({.base_offset = offset, .producer_id = producer, .transactional = transactional});
    for (int i = 0; i < records; ++i) builder.append({.timestamp = 0, .key = {}, .value = {}, .headers = {}});
    return builder.build();
}

base::shared_bytes joined(const std::vector<base::shared_bytes>& parts) {
    std::vector<std::byte> all;
    for (const auto& part : parts) all.insert(all.end(), part.view().begin(), part.view().end());
    return base::shared_bytes::copy_of(all);
}

// Producer 1 aborts, producer 2 commits; a batch without a transaction between them.
fetched_batches mixed(core::boundary::isolation_level isolation) {
    auto source = std::make_shared<core::boundary::completed_fetch>();
    source->batches =
        joined({batch(0, 1, true), batch(1, 2, true), batch(2, -1, false),
                records::make_transaction_marker(records::control_record_type::abort, 3, 1, 0),
                records::make_transaction_marker(records::control_record_type::commit, 4, 2, 0), batch(5, 1, true)});
    source->isolation = isolation;
    source->aborted = {{1, 0}};
    return fetched_batches(std::move(source));
}

std::vector<std::int64_t> offsets_of(const fetched_batches& from) {
    std::vector<std::int64_t> all;
    for (const auto& each : from.batches()) all.push_back(each.base_offset());
    return all;
}

TEST(fetched_batches, leaves_out_aborted_transactions_under_read_committed) {
    EXPECT_EQ(offsets_of(mixed(core::boundary::isolation_level::read_committed)), (std::vector<std::int64_t>{1, 2, 5}));
}

TEST(fetched_batches, leaves_out_only_control_batches_under_read_uncommitted) {
    EXPECT_EQ(offsets_of(mixed(core::boundary::isolation_level::read_uncommitted)),
              (std::vector<std::int64_t>{0, 1, 2, 5}));
}

TEST(fetched_batches, knows_without_decoding_whether_a_stretch_may_have_records) {
    const auto batches = mixed(core::boundary::isolation_level::read_committed);
    EXPECT_FALSE(batches.may_have_records(0, 1));
    EXPECT_TRUE(batches.may_have_records(0, 2));
    EXPECT_FALSE(batches.may_have_records(3, 5));
    EXPECT_FALSE(batches.may_have_records(6, 9));
}

TEST(fetched_batches, leaves_out_batches_that_compaction_has_emptied) {
    auto source = std::make_shared<core::boundary::completed_fetch>();
    records::batch_builder emptied;
    source->batches = joined({emptied.reach(3).build(), batch(4, -1, false)});
    EXPECT_EQ(offsets_of(fetched_batches(std::move(source))), std::vector<std::int64_t>{4});
}

TEST(fetched_batches, tells_of_bytes_that_are_no_batch) {
    auto source = std::make_shared<core::boundary::completed_fetch>();
    auto bytes = joined({batch(0, -1, false), batch(1, -1, false)});
    std::vector<std::byte> bad(bytes.view().begin(), bytes.view().end());
    bad[bad.size() / 2 + 16] = std::byte{9};  // an unknown magic in the second
    source->batches = base::shared_bytes::copy_of(bad);
    const fetched_batches batches(std::move(source));
    EXPECT_EQ(offsets_of(batches), std::vector<std::int64_t>{0});
    ASSERT_TRUE(batches.failure().has_value());
    EXPECT_TRUE(batches.may_have_records(1, 2));
}

}  // namespace
}  // namespace strandline::client
