// What a heartbeat says: everything when the group may not know it, else only what changed since it was last told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/boundary/core_config.hpp"
#include "core/group/consumer/assignment.hpp"
#include "protocol/ids.hpp"
#include "protocol/messages/consumer_group_heartbeat.hpp"

namespace strandline::core::group::consumer {

// The member as it is now. Borrowed for one call.
struct member_report {
    const std::string& member_id;
    bool id_confirmed;  // the group has answered to it
    protocol::member_epoch epoch;
    const std::vector<std::string>& topics;
    const std::string& broker_pattern;
    const owned_partitions& owned;
    std::uint64_t owned_version;  // changes with `owned`
};

class heartbeat_composer {
public:
    using request = protocol::messages::consumer_group_heartbeat_request;
    // SubscribedTopicRegex exists since then.
    static constexpr std::int16_t first_version_with_pattern = 1;
    // Before, the broker made the member's id.
    static constexpr std::int16_t first_version_with_own_id = 1;
    static constexpr protocol::member_epoch joining_epoch{0};
    static constexpr protocol::member_epoch leaving_epoch{-1};
    // A static member steps aside: whoever has its instance id takes its place.
    static constexpr protocol::member_epoch stepping_aside_epoch{-2};

    explicit heartbeat_composer(const boundary::core_config& config) noexcept : config_(&config) {}

    // One at a time: answered, unanswered or forgotten before the next.
    request compose(const member_report& member, std::int16_t version);
    request compose_leave(const std::string& member_id, protocol::member_epoch epoch) const;
    // The group has heard the last one.
    void on_answered();
    // Whether it has heard the last one is not known, or it refused it: the next one says everything again.
    void on_unanswered();

    // Not said by the last heartbeat, or nobody knows what was heard of it.
    bool subscription_is_news(const member_report& member) const noexcept;
    // Not said by any heartbeat that was answered.
    bool owned_is_news(const member_report& member) const noexcept { return acknowledged_ != member.owned_version; }

private:
    struct statement {
        std::vector<std::string> topics;
        std::string broker_pattern;
        std::uint64_t owned_version = 0;
    };

    const boundary::core_config* config_;
    std::optional<statement> told_;
    std::optional<statement> telling_;
    std::optional<std::uint64_t> acknowledged_;  // version of what the group knows to be owned
    // The group may hold a pattern of ours; only an empty one takes it away, null leaves it.
    bool pattern_may_stand_ = false;
};

}  // namespace strandline::core::group::consumer
