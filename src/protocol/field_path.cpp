#include "protocol/field_path.hpp"

namespace strandline::protocol {

void field_path::prepend_field(std::string_view name) { prepend(std::string(name)); }
void field_path::prepend_index(std::size_t index) { prepend("[" + std::to_string(index) + "]"); }

void field_path::prepend(std::string step) {
    if (!path_.empty() && path_.front() != '[') step += '.';
    path_.insert(0, step);
}

}  // namespace strandline::protocol
