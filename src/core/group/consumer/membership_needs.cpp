#include "core/group/consumer/membership_needs.hpp"

namespace strandline::core::group::consumer {

void membership_needs::coordinator(bool needed) {
    if (coordinator_ == needed) return;
    coordinator_ = needed;
    context_.facts.emit(exchange::coordinator_needed{exchange::manager::membership, needed});
}

void membership_needs::topics(bool all, const std::vector<std::string>& names,
                              const std::vector<protocol::topic_id>& ids) {
    if (topics_.all == all && topics_.names == names && topics_.ids == ids) return;
    topics_ = {exchange::topics_of_interest::source::subscription, all, names, ids};
    context_.facts.emit(topics_);
}

}  // namespace strandline::core::group::consumer
