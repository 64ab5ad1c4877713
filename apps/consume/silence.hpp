// No record for a long time although there should be some: said once, with the reason, without having been asked.
#pragma once

#include <chrono>
#include <cstdint>

#include <strandline/consumer.hpp>

#include "apps/output/notes.hpp"

namespace strandline::apps::consume {

class silence {
public:
    using clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds patience = std::chrono::seconds(30);

    silence(const consumer& of, output::notes& told, clock::time_point now,
            std::chrono::milliseconds limit = patience) noexcept
        : consumer_(of), notes_(told), limit_(limit), since_(now) {}

    // Between polls. `records`: how many have been written so far.
    void look(std::uint64_t records, clock::time_point now);

private:
    // Nothing is assigned, records are known to be waiting, or nobody knows.
    bool is_suspicious() const;

    const consumer& consumer_;
    output::notes& notes_;
    std::chrono::milliseconds limit_;
    clock::time_point since_;
    clock::time_point next_look_;
    std::uint64_t records_ = 0;
    bool told_ = false;  // since the last record
};

}  // namespace strandline::apps::consume
