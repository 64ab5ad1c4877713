// Follows who waits for whom, from one manager to the next, down to a request, a timer, a broker or the application.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <strandline/explanation.hpp>

#include "base/instant.hpp"
#include "core/boundary/explain.hpp"
#include "core/exchange/request.hpp"
#include "core/kernel/agenda.hpp"

namespace strandline::core::explain {

// What all parts of an explanation look at.
struct situation {
    const boundary::snapshot& published;
    const boundary::application_view& application;
    base::instant now;

    // None before the first turn, and in tests that publish by hand.
    const kernel::waiting* wait_of(kernel::manager_index manager) const noexcept {
        return manager < published.waits.size() ? &published.waits[manager] : nullptr;
    }
};

class chain_builder {
public:
    explicit chain_builder(const situation& at) noexcept : at_(&at) {}

    // Names the cause, with a sentence for the summary. One that is found further down takes its place, unless it says
    // no more than that something is on its way.
    void blame(wait_cause cause, std::string headline);
    void because_of(error reason) { made_.reason = std::move(reason); }
    void concerns(const partitions& which) { made_.concerned = which; }

    // ---- a step each
    void step(explanation_step one) { made_.steps.push_back(std::move(one)); }
    // "poll waits 12.3 s for records of orders-3". `what`: "records of orders-3".
    void poll(const std::string& what);
    // The application has to do something.
    void application(std::string text, std::string ends_with, std::optional<base::instant> since = {});
    // A manager's own words.
    void manager(kernel::manager_index which, std::string text);
    // What this manager waits for, and everybody that leads to.
    void follow(kernel::manager_index which);
    // Why this broker cannot be talked to in this role; nothing if it can.
    void broker(protocol::broker_id which, exchange::connection_role role);
    // None of them can be talked to.
    void any_broker();
    void request(std::uint64_t id);
    void request(const struct found_request& found);

    bool has_cause() const noexcept { return made_.cause != wait_cause::other; }
    wait_cause cause() const noexcept { return made_.cause; }
    const std::string& headline() const noexcept { return headline_; }
    explanation_chain take() { return std::move(made_); }

private:
    void follow_reason(kernel::manager_index which, const kernel::waiting& wait);
    void backoff(const kernel::waiting& wait);
    std::optional<std::chrono::milliseconds> age(base::instant since) const;
    std::optional<std::chrono::milliseconds> left(base::instant until) const;

    const situation* at_;
    explanation_chain made_;
    std::string headline_;
    std::uint32_t followed_ = 0;  // managers, a bit each: nobody is followed twice
};

}  // namespace strandline::core::explain
