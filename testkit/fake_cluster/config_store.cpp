#include "testkit/fake_cluster/config_store.hpp"

#include <charconv>

#include "testkit/fake_cluster/kafkas_words.hpp"
#include "testkit/fake_cluster/topic_name.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

found_configs find_configs(std::int8_t resource_type, const std::string& name, call& call) {
    auto& cluster = call.cluster();
    switch (static_cast<config_resource>(resource_type)) {
        case config_resource::topic: {
            if (!is_topic_name(name)) return {broker_error::invalid_topic_exception, not_a_topic_name(name), nullptr};
            auto* topic = cluster.find_topic(name);
            if (topic) return {broker_error::none, "", &topic->configs};
            return {broker_error::unknown_topic_or_partition, "", nullptr};
        }
        case config_resource::broker: {
            if (name.empty()) return {broker_error::none, "", &cluster.broker_defaults()};
            std::int32_t id = -1;
            const auto read = std::from_chars(name.data(), name.data() + name.size(), id);
            if (read.ec != std::errc() || read.ptr != name.data() + name.size()) {
                return {broker_error::invalid_request, "Broker id must be an integer, but it is: " + name, nullptr};
            }
            // A broker tells of itself alone.
            if (protocol::broker_id(id) == call.broker.id) return {broker_error::none, "", &call.broker.configs};
            return {broker_error::invalid_request,
                    "Unexpected broker id, expected " + std::to_string(call.broker.id.value()) +
                        " or empty string, but received " + name,
                    nullptr};
        }
        case config_resource::group:
            if (name.empty()) return {broker_error::invalid_request, "Group name must not be empty", nullptr};
            return {broker_error::none, "", &cluster.group_configs(name)};
    }
    return {broker_error::invalid_request, malformed_request, nullptr};
}

}  // namespace strandline::testkit::fake
