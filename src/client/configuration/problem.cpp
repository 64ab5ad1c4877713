#include "client/configuration/problem.hpp"

#include <fmt/format.h>

namespace strandline::client::configuration {

result<void> verdict_on(const problems& found) {
    if (found.empty()) return {};
    std::string text = "invalid configuration: ";
    if (found.size() > 1) text += fmt::format("{} problems", found.size());
    for (const auto& each : found) {
        if (found.size() > 1) text += "\n  ";
        text += each.key + ": " + each.text;
    }
    error_subject about;
    about.key = found.front().key;
    return tl::unexpected(error(errc::invalid_configuration, std::move(text), std::move(about)));
}

}  // namespace strandline::client::configuration
