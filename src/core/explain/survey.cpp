#include "core/explain/survey.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include <fmt/format.h>

#include "core/exchange/manager.hpp"
#include "core/exchange/subscription_state.hpp"
#include "core/explain/network_search.hpp"

namespace strandline::core::explain {

namespace {

using boundary::partition_phase;
using exchange::connection_role;

// How fetching from one broker stands.
enum class fetching : std::uint8_t { well, idle, in_trouble };

class broker_watch {
public:
    explicit broker_watch(const situation& at) : at_(&at) {
        const auto& network = *at.published.network;
        somebody_is_fetched_from_ = find_request(network, is_fetch).has_value();
    }

    fetching of(protocol::broker_id leader) {
        const auto [it, is_new] = known_.try_emplace(leader, fetching::well);
        if (is_new) it->second = look_at(leader);
        return it->second;
    }

private:
    static bool is_fetch(const boundary::request_snapshot& one) {
        return one.api == protocol::api_key::fetch && one.owner == exchange::manager::fetch;
    }

    fetching look_at(protocol::broker_id leader) const {
        const auto* const known = find_broker(*at_->published.network, leader);
        if (!known) return fetching::in_trouble;
        const auto& connection = known->connections[static_cast<std::size_t>(connection_role::fetch)];
        if (!connection.ready) {
            // What is read of a replica needs no connection to the leader.
            const bool of_replica = somebody_is_fetched_from_ && !connection.wanted && !known->failure;
            return of_replica ? fetching::well : fetching::in_trouble;
        }
        if (connection.throttled_until > at_->now) return fetching::in_trouble;
        const auto* const end = connection.requests.data() + connection.listed;
        const auto* const oldest = std::find_if(connection.requests.data(), end, is_fetch);
        if (oldest == end) return somebody_is_fetched_from_ ? fetching::well : fetching::idle;
        constexpr base::duration suspicious = std::chrono::seconds(1);
        return at_->now - oldest->sent_at > at_->application.fetch_max_wait + suspicious ? fetching::in_trouble
                                                                                         : fetching::well;
    }

    const situation* at_;
    bool somebody_is_fetched_from_ = false;
    std::map<protocol::broker_id, fetching> known_;
};

class surveying {
public:
    explicit surveying(const situation& at) : at_(&at), brokers_(at) {
        for (const auto& trouble : at.published.cluster->troubles) {
            if (trouble.partition < 0) topics_in_trouble_.insert(trouble.topic);
        }
    }

    survey run() {
        for (const auto& page : *at_->published.pages) {
            for (const auto& partition : page->partitions) add(partition);
        }
        return std::move(made_);
    }

private:
    void add(const boundary::partition_state& one) {
        ++made_.assigned;
        const auto where = standing_of(one);
        auto& group = made_.groups[static_cast<std::size_t>(where)];
        if (group.count++ == 0) {
            group.failure = one.failure;
            group.broker = one.leader;
        }
        if (group.some.size() < partition_group::most_named) group.some.push_back(one.partition->name);
        if (where == standing::at_end && one.position->offset < one.high_watermark) {
            ++group.in_transaction;
        }
    }

    standing standing_of(const boundary::partition_state& one) {
        if (one.failure) return standing::stands;
        if (one.fenced) return standing::fenced;
        if (one.paused) return standing::paused;
        if (one.callback_pending) return standing::callback_pending;
        if (one.phase == partition_phase::awaiting_committed) return standing::looking_up_committed;
        if (one.leader.value() < 0) {
            const bool in_trouble = is_told_to_be_missing(one.partition->name);
            return in_trouble ? standing::topic_in_trouble : standing::leader_unknown;
        }
        if (one.phase == partition_phase::awaiting_reset) return standing::looking_up_reset;
        if (one.phase == partition_phase::awaiting_validation) return standing::validating;
        switch (brokers_.of(one.leader)) {
            case fetching::in_trouble: return standing::broker_in_trouble;
            case fetching::idle: return standing::not_fetched;
            case fetching::well: break;
        }
        return is_at_end(one) ? standing::at_end : standing::behind;
    }

    bool is_told_to_be_missing(const topic_partition& name) const {
        if (topics_in_trouble_.contains(name.topic)) return true;
        const auto& all = at_->published.cluster->troubles;
        return std::any_of(all.begin(), all.end(), [&](const auto& trouble) {
            return trouble.topic == name.topic && trouble.partition == name.partition;
        });
    }

    bool is_at_end(const boundary::partition_state& one) const {
        if (!one.position || one.high_watermark < 0) return false;
        const auto at = one.position->offset;
        if (at >= one.high_watermark) return true;
        return at_->application.read_committed && one.last_stable_offset >= 0 && at >= one.last_stable_offset;
    }

    const situation* at_;
    broker_watch brokers_;
    std::set<std::string> topics_in_trouble_;
    survey made_;
};

}  // namespace

std::string partition_group::words() const {
    std::string text;
    for (std::size_t i = 0; i < some.size(); ++i) {
        if (i > 0) text += i + 1 == some.size() && count == some.size() ? " and " : ", ";
        text += to_string(some[i]);
    }
    if (count > some.size())
        text += fmt::format(" and {} other{}", count - some.size(), count == some.size() + 1 ? "" : "s");
    return text;
}

survey look_at_partitions(const situation& at) { return surveying(at).run(); }

}  // namespace strandline::core::explain
