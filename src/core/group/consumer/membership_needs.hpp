// Tells other managers what membership needs of them, each time that changes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/exchange/fact.hpp"
#include "core/exchange/manager.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::group::consumer {

class membership_needs {
public:
    explicit membership_needs(const exchange::manager_context& context) noexcept : context_(context) {}

    void coordinator(bool needed);
    void topics(bool all, const std::vector<std::string>& names, const std::vector<protocol::topic_id>& ids);

private:
    exchange::manager_context context_;
    bool coordinator_ = false;
    exchange::topics_of_interest topics_;
};

}  // namespace strandline::core::group::consumer
