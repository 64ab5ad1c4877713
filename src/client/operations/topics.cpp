#include <utility>
#include <variant>

#include "client/call.hpp"
#include "client/operations.hpp"

namespace strandline::client {

namespace {

result<std::map<std::string, std::vector<partition_info>>> ask(call& inside, core::boundary::any_command what) {
    auto outcome = inside.outcome_of(std::move(what));
    if (!outcome) return tl::unexpected(std::move(outcome.error()));
    return std::get<core::boundary::topics_value>(std::move(*outcome)).topics;
}

}  // namespace

result<std::vector<partition_info>> partitions_for(consumer_state& state, frame_id frame, const std::string& topic,
                                                   timeout within) {
    auto let_in = call::begin(state, frame, "partitions_for", within);
    if (!let_in) return tl::unexpected(let_in.error());
    if (topic.empty())
        return tl::unexpected(error(errc::invalid_argument, "partitions_for: the topic's name is empty"));
    auto topics = ask(*let_in, core::boundary::command::partitions_for{topic});
    // No partitions is the answer, not a failure.
    if (!topics && topics.error() == errc::topic_not_found) return std::vector<partition_info>{};
    if (!topics) return tl::unexpected(std::move(topics.error()));
    return std::move((*topics)[topic]);
}

result<std::map<std::string, std::vector<partition_info>>> list_topics(consumer_state& state, frame_id frame,
                                                                       timeout within) {
    auto let_in = call::begin(state, frame, "list_topics", within);
    if (!let_in) return tl::unexpected(let_in.error());
    return ask(*let_in, core::boundary::command::list_topics{});
}

}  // namespace strandline::client
