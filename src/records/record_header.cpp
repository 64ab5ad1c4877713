#include "records/record_header.hpp"

#include <algorithm>

namespace strandline::records {

bool operator==(const record_header& a, const record_header& b) noexcept {
    if (a.name != b.name || a.value.has_value() != b.value.has_value()) return false;
    return !a.value || std::ranges::equal(*a.value, *b.value);
}

}  // namespace strandline::records
