#include "records/record_view.hpp"

namespace strandline::records {

std::vector<record_header> record_view::headers() const {
    std::vector<record_header> all;
    all.reserve(static_cast<std::size_t>(header_count));
    const auto* at = header_data;
    for (auto left = header_count; left > 0; --left) all.push_back(read_header(at));
    return all;
}

}  // namespace strandline::records
