// Prints what polls return, and keeps count.
#pragma once

#include <cstdint>

#include <strandline/records.hpp>

#include "apps/consume/session.hpp"

namespace strandline::apps::consume {

class record_printer {
public:
    explicit record_printer(session& run) : run_(run) {}

    // When it returns, everything printed has reached the kernel. Sets session::failure where a partition cannot be
    // read on.
    void print(polled_records polled);
    // -c is fulfilled.
    bool has_enough() const noexcept { return run_.options.count && formatted_ >= *run_.options.count; }

private:
    void print(partition_records& part);
    void append(const record& each);
    // False: nothing more can be written.
    bool flush();

    session& run_;
    std::uint64_t formatted_ = 0;
    bool stuck_ = false;
};

}  // namespace strandline::apps::consume
