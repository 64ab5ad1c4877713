#include "tests/bench/options.hpp"

#include <algorithm>
#include <stdexcept>

namespace strandline::bench {

options::options(const std::vector<std::string>& arguments) {
    for (std::size_t at = 0; at < arguments.size(); at += 2) {
        const auto& name = arguments[at];
        if (!name.starts_with("--")) throw std::runtime_error("expected an option instead of '" + name + "'");
        if (at + 1 == arguments.size()) throw std::runtime_error("option " + name + " has no value");
        given_[name.substr(2)] = arguments[at + 1];
    }
}

std::string options::text(std::string_view name, std::string_view otherwise) {
    known_.emplace(name);
    const auto found = given_.find(name);
    return found == given_.end() ? std::string(otherwise) : found->second;
}

double options::number(std::string_view name, double otherwise) {
    const auto given = text(name, "");
    return given.empty() ? otherwise : std::stod(given);
}

std::int64_t options::integer(std::string_view name, std::int64_t otherwise) {
    const auto given = text(name, "");
    return given.empty() ? otherwise : std::stoll(given);
}

std::vector<std::string> options::list(std::string_view name) {
    const auto given = text(name, "");
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < given.size();) {
        const auto end = std::min(given.find(',', begin), given.size());
        parts.push_back(given.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

void options::refuse_others() const {
    for (const auto& [name, value] : given_) {
        if (!known_.contains(name)) throw std::runtime_error("unknown option --" + name);
    }
}

}  // namespace strandline::bench
