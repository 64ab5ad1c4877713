// Between single partitions, as questions and answers are about, and the lists by topic in which messages have them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <strandline/topic_partition.hpp>

#include "protocol/ids.hpp"

namespace strandline::core::offsets {

// A topic of the message for each that the entries name, in the order of names, each partition where its entry stands
// among those of its topic. `add` puts an entry into its topic.
template <class Topic, class Entries, class Add>
std::vector<Topic> by_topic(const Entries& entries, std::string Topic::* name, Add add) {
    std::map<std::string_view, Topic> topics;
    for (const auto& entry : entries) add(topics[entry.partition.topic], entry);
    std::vector<Topic> listed;
    listed.reserve(topics.size());
    for (auto& [called, topic] : topics) {
        topic.*name = called;
        listed.push_back(std::move(topic));
    }
    return listed;
}

// What `finding_of` makes of each partition of an answer; `name_of` tells what a topic is called. The last word counts.
template <class Topics, class NameOf, class FindingOf>
auto by_partition(const Topics& topics, NameOf name_of, FindingOf finding_of) {
    using partition = typename decltype(Topics::value_type::partitions)::value_type;
    std::map<topic_partition, std::invoke_result_t<FindingOf, const partition&>> found;
    for (const auto& topic : topics) {
        for (const auto& each : topic.partitions) {
            const auto index = [&] {
                if constexpr (requires { each.partition_index; })
                    return each.partition_index;
                else
                    return each.partition;
            }();
            found.insert_or_assign(topic_partition{std::invoke(name_of, topic), index.value()}, finding_of(each));
        }
    }
    return found;
}

// Gives the topics of an answer their names back where a version has ids instead.
class asked_topics {
public:
    asked_topics() = default;  // the answer has names
    template <class Entries>
    explicit asked_topics(const Entries& asked) {
        for (const auto& entry : asked) names_.emplace(entry.topic_id, entry.partition.topic);
    }

    template <class Topic>
    const std::string& name_of(const Topic& answered) const {
        const auto found = names_.find(answered.topic_id);
        return found == names_.end() ? answered.name : found->second;
    }

private:
    std::unordered_map<protocol::topic_id, std::string> names_;
};

}  // namespace strandline::core::offsets
