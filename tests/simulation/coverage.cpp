#include "tests/simulation/coverage.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace strandline::simulation {

namespace {

struct exception {
    bool never = false;  // or rare
    std::string_view pattern;
    std::string_view why;
    std::size_t fitting = 0;
};

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<exception> parse(const std::vector<std::string>& lines, std::vector<std::string>& wrong) {
    std::vector<exception> made;
    for (const auto& line : lines) {
        const std::string_view text = line;
        const auto bar = text.find('|');
        const auto space = text.find(' ');
        const auto kind = text.substr(0, space);
        if ((kind != "never" && kind != "rare") || bar == std::string_view::npos || bar < space ||
            trimmed(text.substr(bar + 1)).empty()) {
            wrong.push_back(fmt::format("the line '{}' is not 'never PATTERN | why' or 'rare PATTERN | why'", line));
            continue;
        }
        made.push_back({kind == "never", trimmed(text.substr(space, bar - space)), trimmed(text.substr(bar + 1))});
    }
    return made;
}

}  // namespace

bool fits(std::string_view pattern, std::string_view text) noexcept {
    if (pattern.empty()) return text.empty();
    if (pattern.front() == '*') {
        for (std::size_t skipped = 0; skipped <= text.size(); ++skipped) {
            if (fits(pattern.substr(1), text.substr(skipped))) return true;
        }
        return false;
    }
    return !text.empty() && pattern.front() == text.front() && fits(pattern.substr(1), text.substr(1));
}

coverage compare(const std::vector<std::string>& all, const testkit::sim::situations& reached,
                 const std::vector<std::string>& exceptions) {
    coverage made;
    made.listed = all.size();
    auto excepted = parse(exceptions, made.wrong);
    for (const auto& one : all) {
        // All that fit count as used; the first one says what it is.
        exception* found = nullptr;
        for (auto& each : excepted) {
            if (!fits(each.pattern, one)) continue;
            ++each.fitting;
            if (!found) found = &each;
        }
        if (reached.has(one)) {
            ++made.reached;
            if (found && found->never) {
                made.wrong.push_back(fmt::format("reached '{}', which cannot be: {}", one, found->why));
            }
        } else if (!found) {
            made.wrong.push_back(fmt::format("not reached: {}", one));
        } else if (found->never) {
            ++made.impossible;
        } else {
            made.rare_not_reached.push_back(one);
        }
    }
    for (const auto& each : excepted) {
        if (each.fitting == 0) made.wrong.push_back(fmt::format("'{}' fits no situation that there is", each.pattern));
    }
    return made;
}

}  // namespace strandline::simulation
