// Compares what every view shows before and after each manager's work, when somebody looks on: only its owner may have
// changed it, and never without a new version. Also tells whether the version that a fact carries still holds.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/fact.hpp"
#include "core/exchange/group_view.hpp"
#include "core/exchange/lifecycle_view.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/subscription_state.hpp"
#include "core/kernel/view.hpp"
#include "core/turn_probe.hpp"

namespace strandline::core {

class turn_audit {
public:
    struct sources {
        const kernel::versioned<exchange::cluster_view>& cluster;
        const kernel::versioned<exchange::connections_handle>& connections;
        const kernel::versioned<exchange::coordinator_view>& coordinator;
        const kernel::versioned<exchange::member_view>& member;
        const kernel::versioned<exchange::subscription_state>& subscription;
        const kernel::versioned<exchange::lifecycle_view>& lifecycle;
    };
    struct breach {
        contract_clause clause;
        std::string what;
    };

    explicit turn_audit(const sources& views) noexcept : views_(views) {}

    // What is seen from here on counts.
    void begin();
    // `who` has worked since the last call.
    void after(kernel::manager_index who);
    std::vector<breach> take_breaches() { return std::exchange(breaches_, {}); }

    bool holds(const exchange::fact& fact) const;
    // What the view of this owner shows, as one number.
    std::uint64_t fingerprint_of(kernel::manager_index owner) const;

private:
    static constexpr std::size_t view_count = exchange::owned_views.size();
    struct seen_view {
        std::uint64_t fingerprint = 0;
        std::uint64_t version = 0;
    };
    seen_view look_at(std::size_t index) const;

    sources views_;
    std::array<seen_view, view_count> seen_{};
    std::vector<breach> breaches_;
};

}  // namespace strandline::core
