// IncrementalAlterConfigs (44), versions 0 to 1: sets, deletes, and adds to or takes from lists. All of a resource's
// changes are made, or none.
#include <algorithm>
#include <set>
#include <utility>

#include "testkit/fake_cluster/config_store.hpp"
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/kafkas_words.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using change = messages::incremental_alter_configs_request::alterable_config;
enum class operation : std::int8_t { set = 0, remove = 1, append = 2, subtract = 3 };

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < list.size();) {
        const auto comma = std::min(list.find(',', at), list.size());
        if (comma > at) words.push_back(list.substr(at, comma - at));
        at = comma + 1;
    }
    return words;
}

std::string merged(const std::string& present, const std::string& words, bool append) {
    auto list = split(present);
    for (auto& word : split(words)) {
        std::erase(list, word);
        if (append) list.push_back(std::move(word));
    }
    std::string joined;
    for (const auto& word : list) joined += (joined.empty() ? "" : ",") + word;
    return joined;
}

using refusal = std::optional<std::pair<broker_error, std::string>>;

refusal invalid(std::optional<std::string> reason) {
    if (!reason) return std::nullopt;
    return std::pair(broker_error::invalid_config, std::move(*reason));
}

// The reason if it cannot be done.
refusal apply(const change& asked, config_resource resource, config_map& to) {
    const auto* known = find_config(resource, asked.name);
    const auto value = asked.value.value_or("");
    switch (static_cast<operation>(asked.config_operation)) {
        case operation::remove:
            if (!known) return invalid(refusal_of(resource, asked.name, value));
            to.erase(asked.name);
            return std::nullopt;
        case operation::set:
            if (!asked.value) {
                return std::pair(broker_error::invalid_request, "Null value not supported for : " + asked.name);
            }
            if (auto reason = refusal_of(resource, asked.name, value)) return invalid(std::move(reason));
            to[asked.name] = value;
            return std::nullopt;
        case operation::append:
        case operation::subtract: {
            if (!known || known->kind != config_kind::list) {
                const bool appends = static_cast<operation>(asked.config_operation) == operation::append;
                return invalid("Can't " + std::string(appends ? "APPEND" : "SUBTRACT") + " to key " + asked.name +
                               " because its type is not LIST.");
            }
            const auto found = to.find(asked.name);
            const auto present = found == to.end() ? std::string(known->value) : found->second;
            to[asked.name] =
                merged(present, value, static_cast<operation>(asked.config_operation) == operation::append);
            return std::nullopt;
        }
    }
    return std::pair(broker_error::unknown_server_error, std::string());
}

bool has_repetitions(const std::vector<change>& changes) {
    std::set<std::string> seen;
    return !std::all_of(changes.begin(), changes.end(),
                        [&](const change& one) { return seen.insert(one.name).second; });
}

// Where to change something, other words are used than where it is shown.
std::string refusal_of_resource(const messages::incremental_alter_configs_request::alter_configs_resource& asked,
                                const found_configs& found, call& call) {
    if (found.error == broker_error::unknown_topic_or_partition) {
        return "The topic '" + asked.resource_name + "' does not exist.";
    }
    if (asked.resource_type == static_cast<std::int8_t>(config_resource::broker)) {
        return "Unexpected broker id, expected " + std::to_string(call.broker.id.value()) + ", but received " +
               asked.resource_name;
    }
    if (found.message == malformed_request) return "Unknown resource type " + std::to_string(asked.resource_type);
    return found.message;
}

}  // namespace

reply handle(const messages::incremental_alter_configs_request& request, call& call) {
    messages::incremental_alter_configs_response response;
    for (const auto& asked : request.resources) {
        auto& out = response.responses.emplace_back();
        out.resource_type = asked.resource_type;
        out.resource_name = asked.resource_name;
        out.error_message = std::nullopt;
        const auto found = find_configs(asked.resource_type, asked.resource_name, call);
        if (!found.set) {
            out.error_code = found.error;
            out.error_message = refusal_of_resource(asked, found, call);
            continue;
        }
        if (has_repetitions(asked.configs)) {
            out.error_code = broker_error::invalid_request;
            out.error_message = "Error due to duplicate config keys";
            continue;
        }
        auto changed = *found.set;
        for (const auto& one : asked.configs) {
            auto reason = apply(one, static_cast<config_resource>(asked.resource_type), changed);
            if (!reason) continue;
            out.error_code = reason->first;
            if (!reason->second.empty()) out.error_message = std::move(reason->second);
            break;
        }
        if (out.error_code == broker_error::none && !request.validate_only) *found.set = std::move(changed);
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
