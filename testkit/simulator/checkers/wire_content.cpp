#include "testkit/simulator/checkers/wire_content.hpp"

#include "protocol/codec.hpp"
#include "protocol/messages/consumer_group_heartbeat.hpp"
#include "protocol/messages/fetch.hpp"
#include "protocol/messages/offset_commit.hpp"

namespace strandline::testkit::sim {

namespace messages = protocol::messages;

namespace {

// Requests name a topic by its id where their version has one, else by name.
log_id log_of(const truth& directory, protocol::topic_id id, const std::string& name, std::int32_t partition) {
    return id.is_zero() ? directory.find(name, partition) : directory.find(id, partition);
}

template <class Topics>
std::vector<log_id> owned_of(const truth& directory, const Topics& topics) {
    std::vector<log_id> logs;
    for (const auto& topic : topics) {
        for (const auto partition : topic.partitions) logs.push_back(directory.find(topic.topic_id, partition.value()));
    }
    return logs;
}

observed::heartbeat_content content(const messages::consumer_group_heartbeat_request& said, const truth& directory) {
    observed::heartbeat_content made;
    made.member_id = said.member_id;
    made.member_epoch = said.member_epoch.value();
    made.full = said.rebalance_timeout_ms >= 0 && said.topic_partitions &&
                (said.subscribed_topic_names || said.subscribed_topic_regex);
    if (said.topic_partitions) made.owned = owned_of(directory, *said.topic_partitions);
    return made;
}

observed::commit_content content(const messages::offset_commit_request& said, const truth& directory) {
    observed::commit_content made;
    made.member_id = said.member_id;
    made.member_epoch = said.generation_id_or_member_epoch.value();
    for (const auto& topic : said.topics) {
        for (const auto& one : topic.partitions) {
            made.offsets.emplace_back(log_of(directory, topic.topic_id, topic.name, one.partition_index.value()),
                                      one.committed_offset);
        }
    }
    return made;
}

observed::fetch_content content(const messages::fetch_request& said, const truth& directory) {
    observed::fetch_content made;
    made.session_id = said.session_id;
    made.session_epoch = said.session_epoch.value();
    made.max_bytes = said.max_bytes;
    for (const auto& topic : said.topics) {
        for (const auto& one : topic.partitions) {
            made.added.push_back(
                {log_of(directory, topic.topic_id, topic.topic, one.partition.value()), one.fetch_offset});
        }
    }
    for (const auto& topic : said.forgotten_topics_data) {
        for (const auto partition : topic.partitions) {
            made.forgotten.push_back(log_of(directory, topic.topic_id, topic.topic, partition.value()));
        }
    }
    return made;
}

observed::answer_content answer(const messages::consumer_group_heartbeat_response& said, const truth& directory) {
    observed::heartbeat_answer made;
    made.error = said.error_code;
    made.member_epoch = said.member_epoch.value();
    if (said.assignment) made.assignment = owned_of(directory, said.assignment->topic_partitions);
    return made;
}

observed::answer_content answer(const messages::fetch_response& said, const truth& directory) {
    observed::fetch_answer made;
    made.error = said.error_code;
    made.session_id = said.session_id;
    for (const auto& topic : said.responses) {
        for (const auto& one : topic.partitions) {
            made.answered.push_back(log_of(directory, topic.topic_id, topic.topic, one.partition_index.value()));
        }
    }
    return made;
}

observed::answer_content answer(const messages::offset_commit_response& said, const truth& directory) {
    observed::commit_answer made;
    for (const auto& topic : said.topics) {
        for (const auto& one : topic.partitions) {
            made.partitions.emplace_back(log_of(directory, topic.topic_id, topic.name, one.partition_index.value()),
                                         one.error_code);
        }
    }
    return made;
}

template <class Response>
observed::answer_content decoded(const base::shared_bytes& body, std::int16_t version, const truth& directory) {
    const auto said = protocol::decode<Response>(body, version);
    if (!said) return observed::other_answer{};
    return answer(*said, directory);
}

}  // namespace

observed::request_content content_of(const protocol::any_request& request, const truth& directory) {
    if (const auto* heartbeat = request.get_if<messages::consumer_group_heartbeat_request>()) {
        return content(*heartbeat, directory);
    }
    if (const auto* commit = request.get_if<messages::offset_commit_request>()) return content(*commit, directory);
    if (const auto* fetch = request.get_if<messages::fetch_request>()) return content(*fetch, directory);
    return observed::other_content{};
}

observed::answer_content answer_of(protocol::api_key api, std::int16_t version, const base::shared_bytes& body,
                                   const truth& directory) {
    switch (api) {
        case protocol::api_key::consumer_group_heartbeat:
            return decoded<messages::consumer_group_heartbeat_response>(body, version, directory);
        case protocol::api_key::fetch: return decoded<messages::fetch_response>(body, version, directory);
        case protocol::api_key::offset_commit:
            return decoded<messages::offset_commit_response>(body, version, directory);
        default: return observed::other_answer{};
    }
}

}  // namespace strandline::testkit::sim
