#include "base/bytes.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace strandline::base {
namespace {

struct counting_account : memory_account {
    void on_allocated(std::size_t bytes) noexcept override { outstanding += bytes; }
    void on_released(std::size_t bytes) noexcept override { outstanding -= bytes; }
    std::size_t spare_room() const noexcept override { return limit - std::min(limit, outstanding); }
    std::size_t outstanding = 0;
    std::size_t limit = std::size_t{64} * 1024 * 1024;
};

TEST(shared_bytes, a_slice_keeps_the_whole_allocation_alive_and_the_account_hears_of_the_last_one) {
    auto account = std::make_shared<counting_account>();
    auto whole = shared_bytes::copy_of(as_bytes("hello world"), account);
    auto part = whole.slice(6);
    whole = {};
    EXPECT_EQ(as_text(part), "world");
    EXPECT_EQ(part.pinned(), 11u);
    EXPECT_EQ(account->outstanding, 11u);
    part = {};
    EXPECT_EQ(account->outstanding, 0u);
}

TEST(shared_bytes, a_large_block_that_is_free_is_used_again_for_what_fits_into_it) {
    if (!detail::spare_blocks::keeps_any) GTEST_SKIP() << "every access is watched";
    constexpr std::size_t size = 1'000'000;
    const auto account = std::make_shared<counting_account>();
    buffer first(size, account);
    const auto* const place = first.writable().data();
    first = buffer();
    EXPECT_EQ(account->outstanding, 0u) << "what is spare does not count";
    buffer small(1000, account);
    buffer half(size / 2, account);
    EXPECT_NE(half.writable().data(), place);
    buffer next(size - 1000, account);
    EXPECT_EQ(next.writable().data(), place);
    EXPECT_EQ(next.capacity(), size - 1000);
    EXPECT_GE(account->outstanding, size + size / 2);
}

TEST(shared_bytes, what_is_spare_and_what_is_used_stay_within_the_limit_together) {
    if (!detail::spare_blocks::keeps_any) GTEST_SKIP() << "every access is watched";
    constexpr std::size_t size = 1'000'000;
    const auto account = std::make_shared<counting_account>();
    account->limit = 3 * size;
    const auto all = [&] { return account->outstanding + account->spares().bytes(); };
    {
        std::vector<buffer> some;
        for (int i = 0; i < 2; ++i) some.emplace_back(size, account);
        for (int i = 0; i < 10; ++i) some.emplace_back(100, account);
        some.erase(some.begin());
        EXPECT_GE(account->spares().bytes(), size);
        // Too large for what is spare, which has to make way.
        some.emplace_back(size * 3 / 2 + 1, account);
        EXPECT_EQ(account->spares().bytes(), 0u);
        EXPECT_LE(all(), account->limit);
    }
    EXPECT_GT(account->spares().bytes(), 0u);
    EXPECT_LE(all(), account->limit);
    account->limit = 0;
    const buffer last(100, account);
    EXPECT_EQ(account->spares().bytes(), 0u);
}

TEST(shared_bytes, who_gives_no_room_for_spare_blocks_gets_exactly_what_was_asked_for) {
    const auto account = std::make_shared<counting_account>();
    account->limit = 0;
    buffer first(1'000'001, account);
    EXPECT_EQ(account->outstanding, 1'000'001u);
    first = buffer();
    EXPECT_EQ(account->spares().bytes(), 0u);
}

TEST(shared_bytes, blocks_of_a_size_that_is_asked_for_no_more_make_way) {
    if (!detail::spare_blocks::keeps_any) GTEST_SKIP() << "every access is watched";
    const auto account = std::make_shared<counting_account>();
    {
        std::vector<buffer> former;
        for (int i = 0; i < 10; ++i) former.emplace_back(100'000, account);
    }
    buffer first(1'000'000, account);
    const auto* const place = first.writable().data();
    first = buffer();
    EXPECT_EQ(buffer(1'000'000, account).writable().data(), place);
}

TEST(shared_bytes, a_buffer_freezes_to_the_prefix_that_was_written) {
    buffer room(16);
    room.writable()[0] = std::byte{7};
    const auto frozen = std::move(room).freeze(1);
    ASSERT_EQ(frozen.size(), 1u);
    EXPECT_EQ(frozen.view()[0], std::byte{7});
    EXPECT_EQ(frozen.pinned(), 16u);
}

}  // namespace
}  // namespace strandline::base
