#include "core/group/consumer/membership_needs.hpp"

namespace strandline::core::group::consumer {

void membership_needs::coordinator(bool needed) {
    if (coordinator_ == needed) return;
    coordinator_ = needed;
    context_.facts.emit(exchange::coordinator_needed{exchange::manager::membership, needed});
}

void membership_needs::topics(const topic_subscription& wanted, const std::vector<protocol::topic_id>& unnamed) {
    exchange::topics_of_interest next{.who = exchange::topics_of_interest::source::subscription,
                                      .all = wanted.needs_all_topics(),
                                      .names = {},
                                      .ids = unnamed};
    if (!next.all) next.names = wanted.topics();
    if (topics_.all == next.all && topics_.names == next.names && topics_.ids == next.ids) return;
    topics_ = next;
    context_.facts.emit(std::move(next));
}

}  // namespace strandline::core::group::consumer
