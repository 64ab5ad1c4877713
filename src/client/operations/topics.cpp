#include "client/operations/topics.hpp"

#include <variant>

namespace strandline::client {

std::optional<core::boundary::any_command> partitions_for_call::prepare() {
    if (topic_.empty()) {
        fail(error(errc::invalid_argument, "partitions_for: the topic's name is empty"));
        return std::nullopt;
    }
    return core::boundary::command::partitions_for{topic_};
}

result<std::vector<partition_info>> partitions_for_call::conclude(core::boundary::operation_value outcome) {
    return std::move(std::get<core::boundary::topics_value>(outcome).topics[topic_]);
}

// No partitions is the answer, not a failure.
step partitions_for_call::fail(error why) {
    if (why == errc::topic_not_found) return end(std::vector<partition_info>());
    return command_call::fail(std::move(why));
}

result<list_topics_call::value_type> list_topics_call::conclude(core::boundary::operation_value outcome) {
    return std::get<core::boundary::topics_value>(std::move(outcome)).topics;
}

}  // namespace strandline::client
