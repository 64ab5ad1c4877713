// Tells other managers what membership needs of them, each time that changes.
#pragma once

#include <vector>

#include "core/exchange/fact.hpp"
#include "core/exchange/manager.hpp"
#include "core/group/consumer/topic_subscription.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::group::consumer {

class membership_needs {
public:
    explicit membership_needs(const exchange::manager_context& context) noexcept : context_(context) {}

    void coordinator(bool needed);
    void topics(const topic_subscription& wanted, const std::vector<protocol::topic_id>& unnamed);

private:
    exchange::manager_context context_;
    bool coordinator_ = false;
    exchange::topics_of_interest topics_;
};

}  // namespace strandline::core::group::consumer
