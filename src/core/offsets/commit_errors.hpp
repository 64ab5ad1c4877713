// What became of a commit that did not come about, in words.
#pragma once

#include <string>

#include <strandline/error.hpp>
#include <strandline/topic_partition.hpp>

#include "core/offsets/pending_commit.hpp"
#include "protocol/broker_error.hpp"

namespace strandline::core::offsets {

enum class commit_verdict : std::uint8_t {
    passing,         // asked again, it may succeed
    stale_epoch,     // asked again with a newer epoch of the same member, it may succeed
    member_refused,  // the group does not take it from this member
    refused,
};

commit_verdict verdict_on(protocol::broker_error why) noexcept;
// The group has forgotten the member.
constexpr bool is_fence(protocol::broker_error why) noexcept {
    return why == protocol::broker_error::unknown_member_id || why == protocol::broker_error::fenced_member_epoch;
}

error commit_refused(const std::string& group, const topic_partition& partition, protocol::broker_error why);
error commit_not_of_member(const std::string& group, const std::string& why);
// In words for who sent it: a member that is too late, or a consumer of partitions assigned by hand, which is none.
error commit_refused_for_good(const std::string& group, const topic_partition& partition, protocol::broker_error why,
                              bool as_member);
error commit_of_deleted_topic(const topic_partition& partition);
// In words, as commit_timed_out has them.
std::string commit_waits_for(const pending_commit& commit, bool is_sent);
error commit_timed_out(const std::string& group, const std::string& waited_for);
error commit_while_closing(const std::string& group, const std::string& why);
// The first failure, with the names of all that failed if there are several.
error commit_failure(const pending_commit& commit);
// The same of a commit that nobody asked for, as a poll tells it.
error unasked_commit_failure(const pending_commit& commit);

}  // namespace strandline::core::offsets
