// The clock that all processes of a run share (CLOCK_MONOTONIC), and processor time.
#pragma once

#include <cstdint>
#include <sys/resource.h>
#include <time.h>

namespace strandline::bench {

inline std::int64_t monotonic_nanoseconds() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

inline double monotonic_seconds() noexcept { return static_cast<double>(monotonic_nanoseconds()) * 1e-9; }

// User and system time of this process, all its threads.
inline double processor_seconds() noexcept {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace strandline::bench
