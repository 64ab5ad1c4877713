// Questions of the application about topics, until they are answered or their time is up.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>

#include <strandline/error.hpp>

#include "base/instant.hpp"
#include "core/boundary/completion.hpp"
#include "core/boundary/identity.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/output.hpp"
#include "protocol/messages/metadata.hpp"

namespace strandline::core::cluster {

boundary::topics_value topics_of(const exchange::topic_metadata& topic);

class metadata_lookups {
public:
    // A topic that one broker does not know may have been made a moment ago.
    static constexpr int answers_that_settle_absence = 3;

    explicit metadata_lookups(exchange::outbox& outbox) noexcept : outbox_(&outbox) {}

    void add_topic(boundary::operation_token token, base::instant deadline, std::string topic);
    void add_list(boundary::operation_token token, base::instant deadline);
    void cancel(boundary::operation_token token);
    void expire(base::instant now);

    bool empty() const noexcept { return lookups_.empty(); }
    bool wants_list() const noexcept;
    std::set<std::string> topics() const;
    base::instant earliest_deadline() const noexcept;

    // An answer about `asked` was merged into the cluster; what is still not known there is asked for again.
    void on_answer(const exchange::cluster_view& cluster, const std::set<std::string>& asked);
    void on_list(const protocol::messages::metadata_response& answer);

private:
    struct lookup {
        boundary::operation_token token;
        base::instant deadline;
        std::optional<std::string> topic;  // none: the list of all topics
        int answers_without = 0;
    };
    // The result, once there is one.
    static std::optional<result<boundary::operation_value>> settle(lookup& one, const exchange::topic_metadata* topic);
    void complete(const lookup& one, result<boundary::operation_value> outcome);

    exchange::outbox* outbox_;
    std::deque<lookup> lookups_;
};

}  // namespace strandline::core::cluster
