#include "core/cluster/metadata_lookups.hpp"

#include <algorithm>
#include <utility>

#include "core/cluster/cluster_metadata.hpp"
#include "core/cluster/topic_errors.hpp"

namespace strandline::core::cluster {

namespace {

using protocol::broker_error;

std::vector<std::int32_t> numbers(const std::vector<protocol::broker_id>& brokers) {
    std::vector<std::int32_t> numbers;
    numbers.reserve(brokers.size());
    for (const auto broker : brokers) numbers.push_back(broker.value());
    return numbers;
}

std::vector<partition_info> partitions_of(const exchange::topic_metadata& topic) {
    std::vector<partition_info> partitions;
    partitions.reserve(topic.partitions.size());
    for (const auto& partition : topic.partitions) {
        partition_info info;
        info.partition = {topic.name, partition.partition.value()};
        if (partition.leader != protocol::no_broker) info.leader = partition.leader.value();
        if (partition.copies) {
            info.replicas = numbers(partition.copies->replicas);
            info.in_sync_replicas = numbers(partition.copies->in_sync);
            info.offline_replicas = numbers(partition.copies->offline);
        }
        partitions.push_back(std::move(info));
    }
    return partitions;
}

}  // namespace

boundary::topics_value topics_of(const exchange::topic_metadata& topic) {
    boundary::topics_value value;
    value.topics.emplace(topic.name, partitions_of(topic));
    return value;
}

void metadata_lookups::add_topic(boundary::operation_token token, base::instant deadline, std::string topic) {
    lookups_.push_back({token, deadline, std::move(topic)});
}

void metadata_lookups::add_list(boundary::operation_token token, base::instant deadline) {
    lookups_.push_back({token, deadline, std::nullopt});
}

void metadata_lookups::cancel(boundary::operation_token token) {
    const auto it =
        std::find_if(lookups_.begin(), lookups_.end(), [token](const lookup& one) { return one.token == token; });
    if (it == lookups_.end()) return;
    complete(*it, tl::unexpected(error(errc::timed_out, "the look-up of topics was cancelled")));
    lookups_.erase(it);
}

void metadata_lookups::expire(base::instant now) {
    std::erase_if(lookups_, [&](const lookup& one) {
        if (one.deadline > now) return false;
        const auto what = one.topic ? "metadata of topic " + *one.topic : std::string("the list of topics");
        complete(one, tl::unexpected(error(errc::timed_out, "timed out waiting for " + what, {}, {.retriable = true})));
        return true;
    });
}

bool metadata_lookups::wants_list() const noexcept {
    return std::any_of(lookups_.begin(), lookups_.end(), [](const lookup& one) { return !one.topic; });
}

std::set<std::string> metadata_lookups::topics() const {
    std::set<std::string> topics;
    for (const auto& one : lookups_) {
        if (one.topic) topics.insert(*one.topic);
    }
    return topics;
}

base::instant metadata_lookups::earliest_deadline() const noexcept {
    auto earliest = base::never;
    for (const auto& one : lookups_) earliest = std::min(earliest, one.deadline);
    return earliest;
}

std::optional<result<boundary::operation_value>> metadata_lookups::settle(lookup& one,
                                                                          const exchange::topic_metadata* topic) {
    const auto failure = topic ? topic->failure : broker_error::unknown_topic_or_partition;
    if (failure == broker_error::none) return topics_of(*topic);
    if (failure == broker_error::unknown_topic_or_partition) {
        if (++one.answers_without < answers_that_settle_absence) return std::nullopt;
        return tl::unexpected(topic_not_found(*one.topic));
    }
    if (protocol::is_retriable(failure)) return std::nullopt;
    return tl::unexpected(topic_error(*one.topic, failure));
}

void metadata_lookups::on_answer(const exchange::cluster_view& cluster, const std::set<std::string>& asked) {
    std::erase_if(lookups_, [&](lookup& one) {
        if (!one.topic || !asked.contains(*one.topic)) return false;
        auto outcome = settle(one, cluster.find(*one.topic));
        if (!outcome) return false;
        complete(one, *std::move(outcome));
        return true;
    });
}

void metadata_lookups::on_list(const protocol::messages::metadata_response& answer) {
    if (!wants_list()) return;
    exchange::cluster_view listed;
    metadata_change ignored;
    for (const auto& topic : answer.topics) merge(listed, topic, ignored);
    boundary::topics_value value;
    for (const auto& [name, topic] : listed.topics) {
        if (topic.failure == broker_error::none) value.topics.emplace(name, partitions_of(topic));
    }
    std::erase_if(lookups_, [&](const lookup& one) {
        if (one.topic) return false;
        complete(one, value);
        return true;
    });
}

void metadata_lookups::complete(const lookup& one, result<boundary::operation_value> outcome) {
    outbox_->add(boundary::completion{one.token, std::move(outcome)});
}

}  // namespace strandline::core::cluster
