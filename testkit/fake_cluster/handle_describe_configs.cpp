// DescribeConfigs (32), versions 1 to 4: of topics, brokers and groups. 3 tells the types and, on demand, what they are
// for.
#include <algorithm>

#include "testkit/fake_cluster/config_store.hpp"
#include "testkit/fake_cluster/consumer_groups.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

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

// What holds where nothing was set.
struct fallback {
    std::string value;
    config_source source;
};

fallback fallback_of(const known_config& known, config_resource resource, call& call) {
    fallback made{std::string(known.value), config_source::fixed};
    if (resource != config_resource::group) return made;
    // A group has what the cluster was started with.
    const auto own = call.all.groups.default_setting(std::string(known.name));
    if (own && *own != made.value) made = {*own, config_source::broker_start};
    return made;
}

shown_config show(const known_config& known, const fallback& otherwise, const config_map& set, config_resource resource,
                  bool synonyms) {
    shown_config out;
    out.name = known.name;
    out.config_type = static_cast<std::int8_t>(known.kind);
    out.documentation = std::nullopt;
    out.read_only = resource == config_resource::broker && !is_dynamic(known);
    const auto found = set.find(out.name);
    const bool is_set = found != set.end();
    out.value = is_set ? found->second : otherwise.value;
    out.config_source = static_cast<std::int8_t>(is_set ? source_of(resource) : otherwise.source);
    if (synonyms) {
        if (is_set) add_synonym(out, source_of(resource), found->second);
        add_synonym(out, otherwise.source, otherwise.value);
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
        const auto found = find_configs(asked.resource_type, asked.resource_name, call);
        if (!found.set) {
            out.error_code = found.error;
            out.error_message = found.message;
            continue;
        }
        // What was set for all brokers is not filled up with what is fixed.
        const bool only_set =
            asked.resource_type == static_cast<std::int8_t>(config_resource::broker) && asked.resource_name.empty();
        const auto resource = static_cast<config_resource>(asked.resource_type);
        const auto& keys = asked.configuration_keys;
        for (const auto& known : configs_of(resource)) {
            const bool wanted =
                !keys || keys->empty() || std::find(keys->begin(), keys->end(), known.name) != keys->end();
            if (!wanted || (only_set && !found.set->contains(std::string(known.name)))) continue;
            out.configs.push_back(
                show(known, fallback_of(known, resource, call), *found.set, resource, request.include_synonyms));
        }
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
