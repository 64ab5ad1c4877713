// Subscriptions by pattern.
#pragma once

#include <string>
#include <utility>

namespace strandline::inline v0 {

// RE2 syntax, matched here against all topics of the cluster, the whole name, whenever those are refreshed
// (metadata_max_age). exclude_internal_topics applies. subscribe() refuses what is no pattern.
class topic_pattern {
public:
    explicit topic_pattern(std::string text) : text_(std::move(text)) {}
    const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
};

// RE2/J syntax, matched by the broker (KIP-848), the whole name: nothing is asked about topics that do not match. What
// the broker refuses as no pattern is a fatal error of the next poll.
class subscription_pattern {
public:
    explicit subscription_pattern(std::string text) : text_(std::move(text)) {}
    const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
};

}  // namespace strandline::inline v0
