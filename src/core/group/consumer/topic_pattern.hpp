// A pattern of topic names that this client evaluates: RE2, full match, so that it means what it would mean to the
// broker.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <strandline/error.hpp>

#include "core/exchange/cluster_view.hpp"

namespace re2 {
class RE2;
}

namespace strandline::core::group::consumer {

class topic_pattern {
public:
    // invalid_argument with the pattern and what is wrong with it.
    static result<topic_pattern> parse(std::string text);

    const std::string& text() const noexcept { return text_; }
    bool matches(std::string_view topic) const;
    // Names of the topics that match, sorted. Topics that the cluster only mentions in order to say that they do not
    // exist are none.
    std::vector<std::string> matching(const exchange::cluster_view& cluster, bool exclude_internal) const;

private:
    topic_pattern(std::string text, std::shared_ptr<const re2::RE2> compiled);

    std::string text_;
    std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace strandline::core::group::consumer
