// What the kernel says about a process that runs.
#pragma once

#include <cstddef>
#include <string>
#include <sys/types.h>

namespace strandline::bench {

struct process_usage {
    double processor_seconds = 0;
    double voluntary_switches = 0;  // how often one of its threads went to sleep

    // `thread`: of the threads that are called so.
    static process_usage of(pid_t process, const std::string& thread = {});
};

// Megabytes of memory that are resident: now, and at most so far.
struct resident_memory {
    double now = 0;
    double peak = 0;

    static resident_memory of(pid_t process);
};

}  // namespace strandline::bench
