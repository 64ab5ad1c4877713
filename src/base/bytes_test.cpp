#include "base/bytes.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace strandline::base {
namespace {

struct counting_account : memory_account {
    void on_allocated(std::size_t bytes) noexcept override { outstanding += bytes; }
    void on_released(std::size_t bytes) noexcept override { outstanding -= bytes; }
    std::size_t outstanding = 0;
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
