#include "core/group/consumer/topic_pattern.hpp"

#include <algorithm>
#include <utility>

#include <re2/re2.h>

namespace strandline::core::group::consumer {

result<topic_pattern> topic_pattern::parse(std::string text) {
    RE2::Options options;
    options.set_log_errors(false);
    auto compiled = std::make_shared<const re2::RE2>(text, options);
    if (!compiled->ok()) {
        return tl::unexpected(error(errc::invalid_argument, "\"" + text + "\" is no pattern of topic names: " +
                                                                compiled->error() + " (the syntax is RE2's)"));
    }
    return topic_pattern(std::move(text), std::move(compiled));
}

topic_pattern::topic_pattern(std::string text, std::shared_ptr<const re2::RE2> compiled)
    : text_(std::move(text)), compiled_(std::move(compiled)) {}

bool topic_pattern::matches(std::string_view topic) const {
    return re2::RE2::FullMatch(re2::StringPiece(topic.data(), topic.size()), *compiled_);
}

namespace {

// A topic whose partitions are still without leaders exists; one that the cluster denies does not.
bool exists(const exchange::topic_metadata& topic) {
    return topic.failure == protocol::broker_error::none ||
           topic.failure == protocol::broker_error::leader_not_available;
}

}  // namespace

std::vector<std::string> topic_pattern::matching(const exchange::cluster_view& cluster, bool exclude_internal) const {
    std::vector<std::string> found;
    for (const auto& [name, topic] : cluster.topics) {
        if (!exists(topic) || (exclude_internal && topic.is_internal)) continue;
        if (matches(name)) found.push_back(name);
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace strandline::core::group::consumer
