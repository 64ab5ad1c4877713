#include "core/cluster/metadata_interest.hpp"

#include <algorithm>
#include <utility>

namespace strandline::core::cluster {

void metadata_interest::replace(exchange::topics_of_interest interest) {
    const auto source = static_cast<std::size_t>(interest.who);
    by_source_[source] = std::move(interest);
}

bool metadata_interest::empty() const noexcept {
    return std::all_of(by_source_.begin(), by_source_.end(),
                       [](const auto& one) { return !one.all && one.names.empty() && one.ids.empty(); });
}

bool metadata_interest::all() const noexcept {
    return std::any_of(by_source_.begin(), by_source_.end(), [](const auto& one) { return one.all; });
}

std::set<std::string> metadata_interest::names(const exchange::cluster_view& cluster) const {
    std::set<std::string> names;
    for (const auto& one : by_source_) add_names(one, cluster, names);
    return names;
}

std::set<std::string> metadata_interest::names_consumed(const exchange::cluster_view& cluster) const {
    std::set<std::string> names;
    for (const auto& one : by_source_) {
        if (one.who != exchange::topics_of_interest::source::lookup) add_names(one, cluster, names);
    }
    return names;
}

void metadata_interest::add_names(const exchange::topics_of_interest& of, const exchange::cluster_view& cluster,
                                  std::set<std::string>& to) {
    to.insert(of.names.begin(), of.names.end());
    for (const auto id : of.ids) {
        if (const auto* const name = cluster.name_of(id)) to.insert(*name);
    }
}

std::set<protocol::topic_id> metadata_interest::unresolved(const exchange::cluster_view& cluster) const {
    std::set<protocol::topic_id> ids;
    for (const auto& one : by_source_) {
        for (const auto id : one.ids) {
            if (!id.is_zero() && !cluster.name_of(id)) ids.insert(id);
        }
    }
    return ids;
}

std::vector<boundary::topic_trouble> metadata_interest::outgrown(const exchange::cluster_view& cluster) const {
    std::vector<boundary::topic_trouble> missing;
    for (const auto& one : by_source_) {
        for (const auto& partition : one.unheard_of) {
            const auto* const topic = cluster.find(partition.topic);
            if (!topic || topic->failure != protocol::broker_error::none) continue;
            if (cluster.find(partition.topic, partition.partition)) continue;
            missing.push_back({partition.topic, protocol::broker_error::none, partition.partition,
                               static_cast<std::int32_t>(topic->partitions.size())});
        }
    }
    return missing;
}

}  // namespace strandline::core::cluster
