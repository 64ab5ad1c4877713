#include <strandline/records.hpp>

#include "client/record_set.hpp"

namespace strandline::inline v0 {

polled_records::polled_records() noexcept = default;
polled_records::polled_records(std::unique_ptr<client::record_set> set) noexcept : set_(std::move(set)) {}
polled_records::polled_records(polled_records&&) noexcept = default;
polled_records& polled_records::operator=(polled_records&&) noexcept = default;
polled_records::~polled_records() = default;

record_iterator polled_records::begin() & { return set_ ? record_iterator(set_.get()) : record_iterator(); }

bool polled_records::empty() { return !set_ || !set_->has_records(); }

std::vector<partition_records> polled_records::by_partition() && {
    std::vector<partition_records> parts;
    if (!set_) return parts;
    for (auto& set : set_->split()) parts.push_back(partition_records(std::move(set)));
    return parts;
}

offsets polled_records::next_offsets() const { return set_ ? set_->next_offsets() : offsets(); }

const std::vector<position_reset>& polled_records::resets() const noexcept {
    static const std::vector<position_reset> none;
    return set_ ? set_->resets() : none;
}

std::vector<partition_error> polled_records::errors() const {
    std::vector<partition_error> found;
    if (!set_) return found;
    for (const auto& trouble : set_->troubles()) {
        trouble->tell();
        found.push_back({trouble->partition(), trouble->reason()});
    }
    return found;
}

}  // namespace strandline::inline v0
