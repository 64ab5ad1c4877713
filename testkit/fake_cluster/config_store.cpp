#include "testkit/fake_cluster/config_store.hpp"

#include <charconv>

namespace strandline::testkit::fake {

using protocol::broker_error;

found_configs find_configs(std::int8_t resource_type, const std::string& name, call& call) {
    auto& cluster = call.cluster();
    switch (static_cast<config_resource>(resource_type)) {
        case config_resource::topic: {
            auto* topic = cluster.find_topic(name);
            if (topic) return {broker_error::none, "", &topic->configs};
            return {broker_error::unknown_topic_or_partition, "This server does not host this topic-partition.",
                    nullptr};
        }
        case config_resource::broker: {
            if (name.empty()) return {broker_error::none, "", &cluster.broker_defaults()};
            std::int32_t id = -1;
            std::from_chars(name.data(), name.data() + name.size(), id);
            auto* broker = cluster.find_broker(protocol::broker_id(id));
            if (broker) return {broker_error::none, "", &broker->configs};
            return {broker_error::invalid_request, "Unexpected broker id " + name, nullptr};
        }
        case config_resource::group: return {broker_error::none, "", &cluster.group_configs(name)};
    }
    return {broker_error::invalid_request, "Unsupported resource type " + std::to_string(resource_type), nullptr};
}

}  // namespace strandline::testkit::fake
