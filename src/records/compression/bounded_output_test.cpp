#include "records/compression/bounded_output.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace strandline::records::compression {
namespace {

struct counting_account final : base::memory_account {
    void on_allocated(std::size_t bytes) noexcept override { peak = std::max(peak, held += bytes); }
    void on_released(std::size_t bytes) noexcept override { held -= bytes; }
    std::size_t held = 0;
    std::size_t peak = 0;
};

void write(bounded_output& output, std::size_t bytes, std::byte value) {
    while (bytes > 0) {
        auto space = output.free_space();
        ASSERT_FALSE(space.empty());
        const auto now = std::min(bytes, space.size());
        std::ranges::fill(space.first(now), value);
        output.wrote(now);
        bytes -= now;
    }
}

TEST(bounded_output, keeps_what_was_written_while_it_grows) {
    bounded_output output(1U << 20U, 10, {});
    write(output, 700, std::byte{1});
    write(output, 5000, std::byte{2});
    const auto bytes = std::move(output).take();
    ASSERT_EQ(bytes.size(), 5700U);
    EXPECT_EQ(bytes.view()[699], std::byte{1});
    EXPECT_EQ(bytes.view()[700], std::byte{2});
    EXPECT_EQ(bytes.view().back(), std::byte{2});
}

TEST(bounded_output, tells_exactly_full_from_too_much) {
    bounded_output output(1000, 10, {});
    write(output, 1000, std::byte{1});
    EXPECT_FALSE(output.exceeded());
    write(output, 1, std::byte{1});
    EXPECT_TRUE(output.exceeded());
    EXPECT_TRUE(output.free_space().empty());
}

TEST(bounded_output, reserves_in_one_piece_up_to_the_limit_only) {
    bounded_output output(1000, 10, {});
    write(output, 600, std::byte{1});
    EXPECT_FALSE(output.reserve(401));
    EXPECT_TRUE(output.reserve(400));
    EXPECT_GE(output.free_space().size(), 400U);
    EXPECT_FALSE(output.reserve(std::numeric_limits<std::size_t>::max()));
}

TEST(bounded_output, a_limit_of_nothing_holds_nothing) {
    bounded_output output(0, 100, {});
    EXPECT_FALSE(output.reserve(1));
    EXPECT_TRUE(output.reserve(0));
    EXPECT_EQ(std::move(output).take().size(), 0U);
}

TEST(bounded_output, accounts_for_what_it_holds_and_does_not_pin_much_more_than_it_gives) {
    const auto account = std::make_shared<counting_account>();
    {
        bounded_output output(1U << 20U, 100'000, account);
        EXPECT_EQ(account->held, 100'000U);
        write(output, 3000, std::byte{1});
        const auto bytes = std::move(output).take();
        EXPECT_EQ(account->held, 3000U);
        EXPECT_EQ(bytes.pinned(), 3000U);
    }
    EXPECT_EQ(account->held, 0U);
}

}  // namespace
}  // namespace strandline::records::compression
