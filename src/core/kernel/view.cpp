#include "core/kernel/view.hpp"

namespace strandline::core::kernel {

std::string view_log::newest_foreign_write() const {
    if (foreign_writes_ == 0) return {};
    const auto& [index, writer] = newest_foreign_write_;
    return "view " + std::to_string(index) + ", which belongs to manager " + std::to_string(*owners_[index]) +
           ", was changed while " + (writer ? "manager " + std::to_string(*writer) : std::string("nobody")) +
           " was at work";
}

}  // namespace strandline::core::kernel
