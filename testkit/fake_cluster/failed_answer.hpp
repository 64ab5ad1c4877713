// The answer to any request that carries an error wherever it has room for one: one template for all APIs. Who asks
// about topics, partitions or groups is answered about each of them.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/bytes.hpp"
#include "protocol/broker_error.hpp"
#include "protocol/field.hpp"
#include "protocol/ids.hpp"
#include "protocol/messages/fetch.hpp"
#include "protocol/wire_format.hpp"
#include "protocol/wire_number.hpp"

namespace strandline::testkit::fake {

namespace detail {

// Whatever names a thing in the question names it in the answer.
template <class Asked, class Answered>
void name_alike(const Asked& asked, Answered& answered) {
    if constexpr (std::same_as<Asked, std::string>) {
        if constexpr (requires { answered.group_id = asked; }) answered.group_id = asked;
        if constexpr (requires { answered.key = asked; }) answered.key = asked;
        if constexpr (requires { answered.name = asked; }) answered.name = asked;
    } else if constexpr (std::same_as<Asked, protocol::partition_index>) {
        if constexpr (requires { answered.partition_index = asked; }) answered.partition_index = asked;
    } else {
        if constexpr (requires { answered.name = asked.name; }) answered.name = asked.name;
        if constexpr (requires { answered.topic = asked.topic; }) answered.topic = asked.topic;
        if constexpr (requires { answered.topic_id = asked.topic_id; }) answered.topic_id = asked.topic_id;
        if constexpr (requires { answered.group_id = asked.group_id; }) answered.group_id = asked.group_id;
        if constexpr (requires { answered.index = asked.index; }) answered.index = asked.index;
        if constexpr (requires { answered.partition = asked.partition; }) answered.partition = asked.partition;
        if constexpr (requires { answered.partition_index = asked.partition; })
            answered.partition_index = asked.partition;
        if constexpr (requires { answered.partition_index = asked.partition_index; })
            answered.partition_index = asked.partition_index;
        if constexpr (requires { answered.resource_type = asked.resource_type; })
            answered.resource_type = asked.resource_type;
        if constexpr (requires { answered.resource_name = asked.resource_name; })
            answered.resource_name = asked.resource_name;
        if constexpr (requires { answered.transactional_id = asked.transactional_id; })
            answered.transactional_id = asked.transactional_id;
    }
}

// Sets the errors of one level, and the numbers that then say nothing.
template <class Answered>
struct failing {
    Answered& object;
    std::int16_t version;
    protocol::broker_error error;

    template <class Member>
    void operator()(std::string_view name, Member Answered::* member, protocol::field_rule rule = protocol::always) {
        if (!rule.stands_in(version)) return;
        auto& field = object.*member;
        if constexpr (std::same_as<Member, protocol::broker_error>) {
            if (name.ends_with("ErrorCode") && name != "TopicConfigErrorCode") field = error;
        } else if constexpr (std::same_as<Member, std::optional<std::string>>) {
            if (name == "ErrorMessage") field = std::nullopt;
        } else if constexpr (std::same_as<Member, std::optional<base::shared_bytes>>) {
            if (name == "Records") field = base::shared_bytes{};
        } else if constexpr (protocol::wire_number<Member> && !std::same_as<Member, bool>) {
            const bool says_nothing = name == "BaseOffset" || name == "HighWatermark" || name == "LowWatermark" ||
                                      name == "CommittedOffset" || name == "ProducerEpoch" || name == "NodeId" ||
                                      name == "Port";
            if (says_nothing) field = Member(-1);
        }
    }
};

// The lists in which a question names things, and those in which its answer tells of them.
template <class Asked, class Visit>
void for_each_asked_list(const Asked& asked, Visit visit) {
    if constexpr (requires { asked.topics; }) visit(asked.topics);
    if constexpr (requires { asked.topic_names; }) visit(asked.topic_names);
    if constexpr (requires { asked.topic_data; }) visit(asked.topic_data);
    if constexpr (requires { asked.partitions; }) visit(asked.partitions);
    if constexpr (requires { asked.partition_data; }) visit(asked.partition_data);
    if constexpr (requires { asked.partition_indexes; }) visit(asked.partition_indexes);
    if constexpr (requires { asked.groups; }) visit(asked.groups);
    if constexpr (requires { asked.group_ids; }) visit(asked.group_ids);
    if constexpr (requires { asked.groups_names; }) visit(asked.groups_names);
    if constexpr (requires { asked.resources; }) visit(asked.resources);
    if constexpr (requires { asked.coordinator_keys; }) visit(asked.coordinator_keys);
    if constexpr (requires { asked.transactions; }) visit(asked.transactions);
    if constexpr (requires { asked.v3_and_below_topics; }) visit(asked.v3_and_below_topics);
}

// That a list of the answer has elements as the question's list `Asked` wants them is for the caller to say.
template <class Asked, class Answered, class Visit>
void with_answered_list(const Asked& asked, Answered& answered, Visit visit) {
    if constexpr (requires { answered.results_by_transaction; }) {
        if constexpr (requires { asked.front().transactional_id; }) {
            visit(answered.results_by_transaction);
        } else {
            visit(answered.results_by_topic_v3_and_below);
        }
    } else if constexpr (requires { answered.topic_results; }) {
        visit(answered.topic_results);
    } else if constexpr (requires { answered.results_by_partition; }) {
        visit(answered.results_by_partition);
    } else if constexpr (requires { answered.coordinators; }) {
        visit(answered.coordinators);
    } else if constexpr (
        requires {
            answered.groups;
            asked.front().group_id;
        } || requires { answered.groups.front().group_state; }) {
        visit(answered.groups);
    } else if constexpr (requires { answered.topics; }) {
        visit(answered.topics);
    } else if constexpr (requires { answered.responses; }) {
        visit(answered.responses);
    } else if constexpr (requires { answered.results; }) {
        visit(answered.results);
    } else if constexpr (requires { answered.partitions; }) {
        visit(answered.partitions);
    } else if constexpr (requires { answered.partition_responses; }) {
        visit(answered.partition_responses);
    }
}

template <class Asked, class Answered>
void fail_alike(const Asked& asked, Answered& answered, std::int16_t version, protocol::broker_error error);

template <class List, class Answered>
void fail_each(const List& asked, Answered& answered, std::int16_t version, protocol::broker_error error) {
    if constexpr (protocol::is_optional<List>) {
        if (asked) fail_each(*asked, answered, version, error);
    } else {
        with_answered_list(asked, answered, [&](auto& told) {
            for (const auto& one : asked) fail_alike(one, told.emplace_back(), version, error);
        });
    }
}

template <class Asked, class Answered>
void fail_alike(const Asked& asked, Answered& answered, std::int16_t version, protocol::broker_error error) {
    name_alike(asked, answered);
    failing<Answered> fields{answered, version, error};
    Answered::describe(fields);
    for_each_asked_list(asked, [&](const auto& list) { fail_each(list, answered, version, error); });
}

}  // namespace detail

template <class Request>
typename Request::response failed_answer(const Request& request, std::int16_t version, protocol::broker_error error) {
    typename Request::response response;
    detail::fail_alike(request, response, version, error);
    if constexpr (std::same_as<Request, protocol::messages::fetch_request>) {
        // An error of the whole answer is one of its session: it would hide those of the partitions that are asked for.
        // A session that goes on may ask for none.
        if (!request.topics.empty()) response.error_code = protocol::broker_error::none;
    }
    return response;
}

}  // namespace strandline::testkit::fake
