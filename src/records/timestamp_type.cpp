#include "records/timestamp_type.hpp"

namespace strandline::records {

std::string_view to_string(timestamp_type type) noexcept {
    switch (type) {
        case timestamp_type::none: return "no timestamp";
        case timestamp_type::create_time: return "create time";
        case timestamp_type::log_append_time: return "log append time";
    }
    return "unknown timestamp type";
}

}  // namespace strandline::records
