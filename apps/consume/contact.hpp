// Whether brokers answer at all: the first contact is bounded, later silence is told at a falling rate.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <strandline/consumer.hpp>

#include "apps/output/notes.hpp"

namespace strandline::apps::consume {

class contact {
public:
    using clock = std::chrono::steady_clock;

    contact(const consumer& of, std::string bootstrap_servers, std::chrono::milliseconds within, output::notes& told);

    // Looks, if it is time to. Says why nobody could be reached, one line per address, when `within` is over.
    std::optional<std::string> look();
    bool made() const noexcept { return made_; }

private:
    std::string why_not(const explanation& why) const;
    void tell(const explanation& why, clock::time_point now);

    const consumer& consumer_;
    std::string bootstrap_servers_;
    std::chrono::milliseconds within_;
    output::notes& notes_;
    clock::time_point since_;
    clock::time_point next_look_;
    std::chrono::milliseconds pause_{0};
    clock::time_point next_note_;
    bool made_ = false;
};

}  // namespace strandline::apps::consume
