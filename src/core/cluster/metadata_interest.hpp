// Which topics this consumer needs to know about, and for whom.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "core/boundary/cluster_snapshot.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/fact.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::cluster {

class metadata_interest {
public:
    // What this source said before is void.
    void replace(exchange::topics_of_interest interest);

    bool empty() const noexcept;
    // A pattern has to see the name of every topic.
    bool all() const noexcept;
    // By name, and by an id whose name is known.
    std::set<std::string> names(const exchange::cluster_view& cluster) const;
    // Without those that somebody only looks offsets up of, who hears from that look-up what is wrong with them.
    std::set<std::string> names_consumed(const exchange::cluster_view& cluster) const;
    // Those whose name is not known.
    std::set<protocol::topic_id> unresolved(const exchange::cluster_view& cluster) const;
    // A topic is known with fewer partitions than are needed of it: it has grown since.
    bool is_outgrown(const exchange::cluster_view& cluster) const { return !outgrown(cluster).empty(); }
    // Those partitions.
    std::vector<boundary::topic_trouble> outgrown(const exchange::cluster_view& cluster) const;

private:
    static void add_names(const exchange::topics_of_interest& of, const exchange::cluster_view& cluster,
                          std::set<std::string>& to);

    std::array<exchange::topics_of_interest, 3> by_source_;
};

}  // namespace strandline::core::cluster
