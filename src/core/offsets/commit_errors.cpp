#include "core/offsets/commit_errors.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/exchange/leadership_errors.hpp"

namespace strandline::core::offsets {

using protocol::broker_error;

namespace {

error_subject of_group(const std::string& group) {
    error_subject about;
    about.group = group;
    return about;
}

}  // namespace

commit_verdict verdict_on(broker_error why) noexcept {
    switch (why) {
        case broker_error::network_exception:
        case broker_error::coordinator_load_in_progress:
        case broker_error::coordinator_not_available:
        case broker_error::not_coordinator:
        case broker_error::request_timed_out: return commit_verdict::passing;
        case broker_error::stale_member_epoch: return commit_verdict::stale_epoch;
        case broker_error::unknown_member_id:
        case broker_error::fenced_member_epoch:
        case broker_error::illegal_generation:
        case broker_error::rebalance_in_progress:
        case broker_error::fenced_instance_id:
        case broker_error::group_id_not_found: return commit_verdict::member_refused;
        default:
            return protocol::is_retriable(why) || exchange::is_about_leadership(why) ? commit_verdict::passing
                                                                                     : commit_verdict::refused;
    }
}

error commit_refused(const std::string& group, const topic_partition& partition, broker_error why) {
    auto about = of_group(group);
    about.partition = partition;
    about.topic = partition.topic;
    return {std::error_code(static_cast<int>(why), kafka_category()),
            fmt::format("the commit of {} for group {} was refused: {} ({})", to_string(partition), group,
                        protocol::meaning(why), protocol::to_string(why)),
            std::move(about),
            {verdict_on(why) == commit_verdict::passing, false}};
}

error commit_not_of_member(const std::string& group, const std::string& why) {
    return {
        errc::commit_failed,
        fmt::format("the commit for group {} came too late: {}. What was not committed is delivered again to whoever "
                    "owns its partitions now",
                    group, why),
        of_group(group)};
}

error commit_refused_for_good(const std::string& group, const topic_partition& partition, broker_error why,
                              bool as_member) {
    if (verdict_on(why) == commit_verdict::refused) return commit_refused(group, partition, why);
    if (as_member) return commit_not_of_member(group, std::string(protocol::meaning(why)));
    return {
        errc::commit_failed,
        fmt::format("the commit for group {} was refused: {} ({}). The group may have members, and a consumer whose "
                    "partitions are assigned by hand is none of them: give it a group of its own, or subscribe",
                    group, protocol::meaning(why), protocol::to_string(why)),
        of_group(group)};
}

error commit_of_deleted_topic(const topic_partition& partition) {
    error_subject about;
    about.partition = partition;
    about.topic = partition.topic;
    return {errc::commit_failed,
            fmt::format("the commit of {} is void: the topic was deleted and made again", to_string(partition)),
            std::move(about)};
}

std::string commit_waits_for(const pending_commit& commit, bool is_sent) {
    if (is_sent) return "the coordinator's answer";
    const auto before = commit.backoff.cause();
    if (before.is_known()) return "another attempt, after " + exchange::to_string(before);
    return "the coordinator to be found and reached";
}

error commit_timed_out(const std::string& group, const std::string& waited_for) {
    return {errc::timed_out,
            fmt::format("the commit for group {} was not confirmed in time: waited for {}", group, waited_for),
            of_group(group),
            {true, false}};
}

error commit_while_closing(const std::string& group, const std::string& why) {
    return {errc::consumer_closed, fmt::format("the commit for group {} was given up by close: {}", group, why),
            of_group(group)};
}

error commit_failure(const pending_commit& commit) {
    const auto& first = *commit.failure;
    if (commit.failed.size() < 2) return first;
    return {first.code(),
            fmt::format("{}. Not committed: {}", first.message(), to_string(commit.failed)),
            first.about(),
            {first.retriable(), first.fatal()}};
}

error unasked_commit_failure(const pending_commit& commit) {
    const auto why = commit_failure(commit);
    return {why.code(),
            fmt::format("what was processed is not committed by itself: {}. This is told once until a commit succeeds",
                        why.message()),
            why.about(),
            {.retriable = true}};
}

}  // namespace strandline::core::offsets
