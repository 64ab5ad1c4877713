// DescribeConfigs (32), versions 1 to 4: of topics, brokers and groups. 3 tells the types and, on demand, what they are
// for.
#include <algorithm>

#include "testkit/fake_cluster/config_store.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using result = messages::describe_configs_response::describe_configs_result;
using shown_config = messages::describe_configs_response::describe_configs_resource_result;

config_source source_of(config_resource resource) {
    switch (resource) {
        case config_resource::topic: return config_source::topic;
        case config_resource::broker: return config_source::broker;
        case config_resource::group: return config_source::group;
    }
    return config_source::fixed;
}

void add_synonym(shown_config& to, config_source source, const std::string& value) {
    auto& synonym = to.synonyms.emplace_back();
    synonym.name = to.name;
    synonym.value = value;
    synonym.source = static_cast<std::int8_t>(source);
}

shown_config show(const known_config& known, const config_map& set, config_resource resource, bool synonyms) {
    shown_config out;
    out.name = known.name;
    out.config_type = static_cast<std::int8_t>(known.kind);
    out.documentation = std::nullopt;
    const auto found = set.find(out.name);
    const bool is_set = found != set.end();
    const auto fixed = std::string(known.value);
    out.value = is_set ? found->second : fixed;
    out.config_source = static_cast<std::int8_t>(is_set ? source_of(resource) : config_source::fixed);
    if (synonyms) {
        if (is_set) add_synonym(out, source_of(resource), found->second);
        add_synonym(out, config_source::fixed, fixed);
    }
    return out;
}

}  // namespace

reply handle(const messages::describe_configs_request& request, call& call) {
    messages::describe_configs_response response;
    for (const auto& asked : request.resources) {
        auto& out = response.results.emplace_back();
        out.resource_type = asked.resource_type;
        out.resource_name = asked.resource_name;
        out.error_message = std::nullopt;
        const auto found = find_configs(asked.resource_type, asked.resource_name, call);
        if (!found.set) {
            out.error_code = found.error;
            out.error_message = found.message;
            continue;
        }
        const auto resource = static_cast<config_resource>(asked.resource_type);
        const auto& keys = asked.configuration_keys;
        for (const auto& known : configs_of(resource)) {
            const bool wanted =
                !keys || keys->empty() || std::find(keys->begin(), keys->end(), known.name) != keys->end();
            if (wanted) out.configs.push_back(show(known, *found.set, resource, request.include_synonyms));
        }
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
