#include "core/group/group_error.hpp"

namespace strandline::core::group {

error group_error(protocol::broker_error code, const std::optional<std::string>& told, std::string_view doing,
                  const std::string& group_id, error::traits how) {
    auto text = std::string(doing) + " group " + group_id + ": " + to_string(code) + ": " + std::string(meaning(code));
    if (told && !told->empty()) text += " (the broker says: " + *told + ")";
    error_subject about;
    about.group = group_id;
    return {std::error_code(static_cast<int>(code), kafka_category()), std::move(text), std::move(about), how};
}

}  // namespace strandline::core::group
