#include "tests/conformance/broker/known.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace strandline::conformance::broker {

void known::learn(std::string name, const boost::json::value& value, std::string field) {
    std::erase_if(entries_, [&](const entry& one) { return one.name == name; });
    entries_.push_back({std::move(name), std::move(field), value});
}

const known::entry& known::find(std::string_view name) const {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const entry& one) { return one.name == name; });
    if (found == entries_.end()) throw std::out_of_range("no step has learned " + std::string(name));
    return *found;
}

std::string known::text(std::string_view name) const { return std::string(find(name).value.as_string()); }

std::int64_t known::number(std::string_view name) const { return find(name).value.as_int64(); }

protocol::topic_id known::id(std::string_view name) const {
    const auto parsed = base::uuid::parse(text(name));
    if (!parsed) throw std::out_of_range(std::string(name) + " is no id");
    return *parsed;
}

boost::json::value known::renamed(const boost::json::value& value, std::string_view field) const {
    if (const auto* object = value.if_object()) {
        boost::json::object made;
        for (const auto& [name, inner] : *object) made[name] = renamed(inner, name);
        return made;
    }
    if (const auto* array = value.if_array()) {
        boost::json::array made;
        for (const auto& inner : *array) made.push_back(renamed(inner, field));
        return made;
    }
    if (value.is_string()) {
        std::string text(value.get_string());
        for (const auto& one : entries_) {
            if (!one.value.is_string() || one.value.get_string().empty() || one.field.empty()) continue;
            const std::string old(one.value.get_string());
            const auto name = "<" + one.name + ">";
            for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + name.size())) {
                text.replace(at, old.size(), name);
            }
        }
        return boost::json::value(text);
    }
    for (const auto& one : entries_) {
        if (one.value.is_int64() && one.field == field && one.value == value) {
            return boost::json::value("<" + one.name + ">");
        }
    }
    return value;
}

}  // namespace strandline::conformance::broker
