#include "core/kernel/view.hpp"

namespace strandline::core::kernel {

std::string view_log::newest_foreign_write() const {
    if (foreign_writes_ == 0) return {};
    const auto& [index, writer] = newest_foreign_write_;
    std::string who = "nobody";
    if (writer) who = "manager " + std::to_string(*writer);
    return "view " + std::to_string(index) + ", which belongs to manager " + std::to_string(*owners_[index]) +
           ", was changed while " + who + " was at work";
}

}  // namespace strandline::core::kernel
