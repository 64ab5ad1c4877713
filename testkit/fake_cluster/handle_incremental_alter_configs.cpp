// IncrementalAlterConfigs (44), versions 0 to 1: sets, deletes, and adds to or takes from lists. All of a resource's
// changes are made, or none.
#include <algorithm>

#include "testkit/fake_cluster/config_store.hpp"
#include "testkit/fake_cluster/handlers.hpp"

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

// The reason if it cannot be done.
std::optional<std::string> apply(const change& asked, config_resource resource, config_map& to) {
    const auto* known = find_config(resource, asked.name);
    const auto value = asked.value.value_or("");
    switch (static_cast<operation>(asked.config_operation)) {
        case operation::remove:
            if (!known) return refusal_of(resource, asked.name, value);
            to.erase(asked.name);
            return std::nullopt;
        case operation::set:
            if (auto reason = refusal_of(resource, asked.name, value)) return reason;
            to[asked.name] = value;
            return std::nullopt;
        case operation::append:
        case operation::subtract: {
            if (!known || known->kind != config_kind::list) {
                return "Can't " +
                       std::string(static_cast<operation>(asked.config_operation) == operation::append ? "APPEND"
                                                                                                       : "SUBTRACT") +
                       " to key " + asked.name + " because its type is not LIST.";
            }
            const auto found = to.find(asked.name);
            const auto present = found == to.end() ? std::string(known->value) : found->second;
            to[asked.name] =
                merged(present, value, static_cast<operation>(asked.config_operation) == operation::append);
            return std::nullopt;
        }
    }
    return "Unknown operation type id " + std::to_string(asked.config_operation);
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
            out.error_message = found.message;
            continue;
        }
        auto changed = *found.set;
        for (const auto& one : asked.configs) {
            auto reason = apply(one, static_cast<config_resource>(asked.resource_type), changed);
            if (!reason) continue;
            out.error_code = broker_error::invalid_config;
            out.error_message = std::move(*reason);
            break;
        }
        if (out.error_code == broker_error::none && !request.validate_only) *found.set = std::move(changed);
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake
