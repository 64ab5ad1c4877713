#include "records/crc32c.hpp"

#include <gtest/gtest.h>

namespace strandline::records {
namespace {

constexpr std::string_view digits = "123456789";  // the customary check input

TEST(crc32c, gives_the_published_check_value) { EXPECT_EQ(crc32c(base::as_bytes(digits)), 0xe3069283U); }

TEST(crc32_ieee, gives_the_published_check_value) { EXPECT_EQ(crc32_ieee(base::as_bytes(digits)), 0xcbf43926U); }

TEST(crc32c, of_nothing_is_the_seed) {
    EXPECT_EQ(crc32c({}), 0U);
    EXPECT_EQ(crc32c({}, 7), 7U);
    EXPECT_EQ(crc32_ieee({}, 7), 7U);
}

TEST(crc32c, chains_over_parts) {
    for (std::size_t cut = 0; cut <= digits.size(); ++cut) {
        const auto first = base::as_bytes(digits.substr(0, cut));
        const auto second = base::as_bytes(digits.substr(cut));
        EXPECT_EQ(crc32c(second, crc32c(first)), crc32c(base::as_bytes(digits)));
        EXPECT_EQ(crc32_ieee(second, crc32_ieee(first)), crc32_ieee(base::as_bytes(digits)));
    }
}

}  // namespace
}  // namespace strandline::records
