#include "core/boundary/partition_pages.hpp"

#include <gtest/gtest.h>

namespace strandline::core::boundary {
namespace {

partition_pages filled(std::uint32_t slots) {
    partition_pages pages;
    for (std::uint32_t i = 0; i < slots; ++i) {
        pages.add(slot_id(i)).partition = make_partition_ref({"orders", static_cast<std::int32_t>(i)});
    }
    return pages;
}

TEST(partition_pages, each_is_found_by_its_slot_whatever_slots_are_free) {
    auto pages = filled(200);
    for (const std::uint32_t gone : {0U, 64U, 65U, 130U, 199U}) pages.remove(slot_id(gone));
    for (std::uint32_t i = 0; i < 200; ++i) {
        const bool is_gone = i == 0 || i == 64 || i == 65 || i == 130 || i == 199;
        const auto* const found = pages.find(slot_id(i));
        ASSERT_EQ(found == nullptr, is_gone) << i;
        EXPECT_EQ(find(*pages.show(), slot_id(i)), found);
        if (found) {
            EXPECT_EQ(found->partition->name.partition, static_cast<std::int32_t>(i));
        }
    }
    EXPECT_EQ(pages.find(slot_id(200)), nullptr);
    EXPECT_EQ(pages.find(slot_id(100'000)), nullptr);
    EXPECT_EQ(find(*pages.show(), slot_id(100'000)), nullptr);
    pages.add(slot_id(65)).era = incarnation(9);
    EXPECT_EQ(pages.find(slot_id(65))->era, incarnation(9));
    EXPECT_EQ(pages.find(slot_id(66))->partition->name.partition, 66);
}

TEST(partition_pages, what_was_shown_never_changes) {
    auto pages = filled(70);
    const auto before = pages.show();
    pages.change(slot_id(3)).paused = true;
    pages.remove(slot_id(5));
    pages.change(slot_id(3)).fenced = true;
    EXPECT_FALSE((*before)[0]->partitions[3].paused);
    EXPECT_EQ((*before)[0]->partitions.size(), 64U);

    const auto after = pages.show();
    EXPECT_TRUE((*after)[0]->partitions[3].paused);
    EXPECT_TRUE((*after)[0]->partitions[3].fenced);
    EXPECT_EQ((*after)[0]->partitions.size(), 63U);
    EXPECT_EQ((*after)[1], (*before)[1]) << "shared, since nothing of it changed";
}

TEST(partition_pages, nothing_is_made_anew_when_nothing_changed) {
    auto pages = filled(3);
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): what it showed is compared with what it shows.
    const auto shown = pages.show();
    EXPECT_EQ(pages.show(), shown);
    EXPECT_EQ(pages.find(slot_id(1)), &(*shown)[0]->partitions[1]) << "there is no copy beside it";
}

TEST(partition_pages, what_was_looked_up_stays_until_pages_are_shown_though_it_does_not_follow) {
    auto pages = filled(3);
    pages.show();
    const auto& seen = *pages.find(slot_id(1));
    pages.change(slot_id(1)).paused = true;
    EXPECT_FALSE(seen.paused);
    EXPECT_EQ(seen.partition->name.partition, 1);
    EXPECT_TRUE(pages.find(slot_id(1))->paused);
}

TEST(partition_ref_maker, those_it_makes_are_kept_as_long_as_somebody_has_one) {
    partition_ref kept;
    {
        partition_ref_maker maker;
        for (std::int32_t i = 0; i < 30; ++i) {
            auto made = maker.make({"orders", i}, {});
            if (i == 14) kept = std::move(made);
        }
    }
    EXPECT_EQ(kept->name, (topic_partition{"orders", 14}));
}

}  // namespace
}  // namespace strandline::core::boundary
