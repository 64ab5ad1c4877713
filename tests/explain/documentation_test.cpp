// The table of causes in docs/reference/explain.md names every cause, in the order of the enum.
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <strandline/explanation.hpp>

namespace strandline::explain_tests {
namespace {

TEST(explain_documentation, names_every_cause_in_order) {
    std::ifstream file("docs/reference/explain.md");
    ASSERT_TRUE(file);
    std::vector<std::string> documented;
    for (std::string line; std::getline(file, line);) {
        constexpr std::string_view begin = "| `";
        if (!line.starts_with(begin)) continue;
        const auto end = line.find('`', begin.size());
        const auto name = line.substr(begin.size(), end - begin.size());
        if (name != "cause") documented.push_back(name);
    }
    std::vector<std::string> known;
    for (auto cause = wait_cause{};; cause = static_cast<wait_cause>(static_cast<int>(cause) + 1)) {
        known.emplace_back(to_string(cause));
        if (cause == wait_cause::other) break;
    }
    EXPECT_EQ(documented, known);
}

}  // namespace
}  // namespace strandline::explain_tests
