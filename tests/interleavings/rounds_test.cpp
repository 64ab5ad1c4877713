// The same scenarios with real threads, as often as time allows: what the explorer takes for granted (locks that lock,
// nothing shared beside the primitives) is what the thread sanitizer watches here. A wake-up that is lost hangs the
// test.
#include <cstddef>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/interleavings/real_threads.hpp"
#include "tests/interleavings/scenarios/all.hpp"

namespace strandline::interleavings {

static void PrintTo(const scenario<threading>& what, std::ostream* out) { *out << what.name; }

namespace {

#if defined(__SANITIZE_THREAD__)
#define STRANDLINE_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define STRANDLINE_THREAD_SANITIZER 1
#endif
#endif

#ifdef STRANDLINE_THREAD_SANITIZER
constexpr std::size_t rounds_in_all = 1'000'000;
#else
constexpr std::size_t rounds_in_all = 100'000;
#endif

class handoff_rounds : public testing::TestWithParam<scenario<threading>> {};

TEST_P(handoff_rounds, hold_with_real_threads_for) {
    const auto rounds = rounds_in_all / all_scenarios<threading>().size() + 1;
    threading::series series(GetParam().prepare, rounds);
    const auto fault = series.play();
    ASSERT_FALSE(fault) << fault->promise << ", in round " << fault->round;
    fmt::print("{}: {} actors, {} rounds\n", GetParam().name, series.actors(), rounds);
}

INSTANTIATE_TEST_SUITE_P(scenario, handoff_rounds, testing::ValuesIn(all_scenarios<threading>()),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace strandline::interleavings
