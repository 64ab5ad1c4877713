// From properties to consumer_config: every problem at once, and a word about what has no effect.
#include <map>

#include <fmt/format.h>

#include <strandline/consumer_config.hpp>

#include "client/configuration/bootstrap_servers.hpp"
#include "client/configuration/check.hpp"
#include "client/configuration/problem.hpp"
#include "client/configuration/property.hpp"
#include "client/configuration/property_text.hpp"

namespace strandline::client::configuration {

namespace {

class parser {
public:
    explicit parser(const properties& given) : given_(given) {}

    result<consumer_config> parse() {
        for (const auto& [name, value] : given_) read(name, trimmed(value));
        settle_backoff();
        if (problems_.empty()) problems_ = check_values(made_);
        if (problems_.empty() && !made_.bootstrap_servers.empty()) {
            const auto servers = read_bootstrap_servers(made_.bootstrap_servers);
            if (!servers) problems_.push_back({"bootstrap.servers", servers.error()});
        }
        if (auto verdict = verdict_on(problems_); !verdict) return tl::unexpected(std::move(verdict.error()));
        return made_;
    }

private:
    void read(const std::string& name, std::string_view value) {
        if (const auto* known = find_settable(name)) return set(*known, name, value);
        if (const auto foreign = find_foreign(name)) return judge(*foreign, name, value);
        const auto near = nearest_name(name);
        refuse(name, near ? fmt::format("is unknown; did you mean {}?", *near) : std::string("is unknown"));
    }

    void set(const property& known, const std::string& name, std::string_view value) {
        const auto [earlier, is_first] = set_by_.try_emplace(known.name, name);
        if (!is_first) return refuse(name, fmt::format("says the same as {}; give one of them", earlier->second));
        if (known.read(made_, value)) return;
        refuse(name, fmt::format("\"{}\" is not accepted; accepted: {}", shown(name, value), known.accepted));
    }

    void judge(const foreign_property& foreign, const std::string& name, std::string_view value) {
        const auto why = foreign.detail.empty() ? std::string() : fmt::format(" ({})", foreign.detail);
        switch (foreign.what) {
            case foreign_property::kind::only_value:
                if (lower_case(value) == foreign.detail) return;
                return refuse(
                    name, fmt::format("\"{}\" is not supported yet; accepted: {}", shown(name, value), foreign.detail));
            case foreign_property::kind::without_effect: return warn(name, "has no effect here" + why);
            case foreign_property::kind::classic_only:
                if (given_.contains("group.protocol")) {
                    return refuse(name, "cannot be set with group.protocol=consumer" + why);
                }
                return warn(name, "belongs to the classic group protocol and has no effect" + why);
            case foreign_property::kind::share_only: return refuse(name, "belongs to share consumers");
            case foreign_property::kind::not_yet: return refuse(name, "is not supported" + why);
        }
    }

    // As Java does: the first back-off alone means that it does not grow.
    void settle_backoff() {
        if (set_by_.contains("reconnect.backoff.ms") && !set_by_.contains("reconnect.backoff.max.ms")) {
            made_.reconnect_backoff_max = made_.reconnect_backoff;
        }
    }

    static std::string shown(std::string_view name, std::string_view value) {
        return is_secret(name) ? "[hidden]" : std::string(value);
    }
    void refuse(const std::string& name, std::string text) { problems_.push_back({name, std::move(text)}); }
    void warn(const std::string& name, const std::string& text) { made_.warnings.push_back(name + " " + text); }

    const properties& given_;
    consumer_config made_;
    problems problems_;
    std::map<std::string_view, std::string> set_by_;
};

}  // namespace

}  // namespace strandline::client::configuration

namespace strandline::inline v0 {

result<consumer_config> consumer_config::parse(const properties& given) {
    return client::configuration::parser(given).parse();
}

std::string to_string(const consumer_config& config) {
    std::string text;
    for (const auto& each : client::configuration::settable_properties()) {
        const auto value = each.write(config);
        if (!value) continue;
        text += fmt::format("{}={}\n", each.name, client::configuration::is_secret(each.name) ? "[hidden]" : *value);
    }
    return text;
}

std::vector<property_description> consumer_properties() {
    namespace configuration = client::configuration;
    const consumer_config standard;
    std::vector<property_description> all;
    for (const auto& each : configuration::settable_properties()) {
        const property_description described{
            each.name, {}, each.accepted, each.write(standard).value_or(""), configuration::is_secret(each.name)};
        all.push_back(described);
        for (const auto alias : each.aliases) {
            all.push_back(described);
            all.back().name = alias;
            all.back().alias_of = each.name;
        }
    }
    return all;
}

}  // namespace strandline::inline v0
