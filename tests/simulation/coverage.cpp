#include "tests/simulation/coverage.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace strandline::simulation {

namespace {

struct exception {
    bool never = false;  // or rare
    std::string_view pattern;
    std::string_view why;
    std::size_t fitting = 0;
    std::size_t reached = 0;  // of those that fit, by more than chance
    std::size_t needed = 0;   // the others, as far as no line before this one fits them
};

// What was come into no oftener than this was come into by chance: the next change of the library may lead past it.
constexpr std::uint64_t by_chance = 3;

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

// What is wrong with it, now that it is known what was reached; empty: nothing. One that stands for more than it has to
// hides what is no longer reached.
std::string fault_of(const exception& one) {
    if (one.fitting == 0) return fmt::format("'{}' fits no situation that there is", one.pattern);
    if (one.needed == 0) {
        return fmt::format("'{}' excepts nothing: all {} that fit are reached, or excepted by a line before it",
                           one.pattern, one.fitting);
    }
    if (one.reached * 2 > one.fitting) {
        return fmt::format("'{}' is too wide: {} of the {} that fit are reached; name the others", one.pattern,
                           one.reached, one.fitting);
    }
    return {};
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
        const auto count = reached.counts().find(one);
        const bool is_reached = count != reached.counts().end();
        const bool by_more_than_chance = is_reached && count->second > by_chance;
        // The first one that fits says what it is.
        exception* found = nullptr;
        for (auto& each : excepted) {
            if (!fits(each.pattern, one)) continue;
            ++each.fitting;
            if (by_more_than_chance) ++each.reached;
            if (!found) found = &each;
        }
        if (found && !by_more_than_chance) ++found->needed;
        if (is_reached) {
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
        if (auto fault = fault_of(each); !fault.empty()) made.wrong.push_back(std::move(fault));
    }
    return made;
}

}  // namespace strandline::simulation
