// Polls the condition with a pause between.
#include "tests/live/patience.hpp"

#include <thread>

namespace strandline::live {

namespace {

using clock = std::chrono::steady_clock;
constexpr auto pause_between = std::chrono::milliseconds(30);

std::string with_span(const std::string& what, std::chrono::milliseconds span) {
    return what + ", " + std::to_string(span.count()) + " ms";
}

}  // namespace

void eventually(const std::string& what, std::chrono::milliseconds timeout, const std::function<bool()>& condition) {
    const auto deadline = clock::now() + timeout;
    while (!condition()) {
        if (clock::now() >= deadline) throw not_in_time("still not: " + with_span(what, timeout));
        std::this_thread::sleep_for(pause_between);
    }
}

void throughout(const std::string& what, std::chrono::milliseconds span, const std::function<bool()>& condition) {
    const auto end = clock::now() + span;
    do {
        if (!condition()) throw not_in_time("no longer: " + with_span(what, span));
        std::this_thread::sleep_for(pause_between);
    } while (clock::now() < end);
}

}  // namespace strandline::live
