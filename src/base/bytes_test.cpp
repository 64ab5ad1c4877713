#include "base/bytes.hpp"

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
