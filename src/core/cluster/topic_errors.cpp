#include "core/cluster/topic_errors.hpp"

#include <system_error>

#include <fmt/format.h>

namespace strandline::core::cluster {

error topic_error(const std::string& topic, protocol::broker_error failure) {
    error_subject about;
    about.topic = topic;
    return error(std::error_code(static_cast<int>(failure), kafka_category()),
                 fmt::format("topic {}: {} ({})", topic, protocol::meaning(failure), protocol::to_string(failure)),
                 about, {.retriable = protocol::is_retriable(failure)});
}

error topic_not_found(const std::string& topic) {
    error_subject about;
    about.topic = topic;
    return error(errc::topic_not_found, fmt::format("the cluster has no topic {}", topic), about);
}

}  // namespace strandline::core::cluster
