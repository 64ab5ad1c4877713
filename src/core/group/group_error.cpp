#include "core/group/group_error.hpp"

#include <utility>

namespace strandline::core::group {

namespace {

std::string words(protocol::broker_error code, const std::optional<std::string>& told, std::string_view doing,
                  const std::string& group_id) {
    auto text = std::string(doing) + " group " + group_id + ": " + to_string(code) + ": " + std::string(meaning(code));
    if (told && !told->empty()) text += " (the broker says: " + *told + ")";
    return text;
}

error_subject about_group(const std::string& group_id) {
    error_subject about;
    about.group = group_id;
    return about;
}

}  // namespace

error group_error(protocol::broker_error code, const std::optional<std::string>& told, std::string_view doing,
                  const std::string& group_id, error::traits how) {
    return {std::error_code(static_cast<int>(code), kafka_category()), words(code, told, doing, group_id),
            about_group(group_id), how};
}

error group_refusal(protocol::broker_error code, const std::optional<std::string>& told, std::string_view doing,
                    const std::string& group_id) {
    return {errc::fatal_group_error,
            words(code, told, doing, group_id),
            about_group(group_id),
            {.retriable = false, .fatal = true}};
}

}  // namespace strandline::core::group
