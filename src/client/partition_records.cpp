#include <strandline/records.hpp>

#include "client/record_set.hpp"

namespace strandline::inline v0 {

partition_records::partition_records(std::unique_ptr<client::record_set> set) : set_(std::move(set)) {}
partition_records::partition_records(partition_records&&) noexcept = default;
partition_records& partition_records::operator=(partition_records&&) noexcept = default;
partition_records::~partition_records() = default;

const strandline::topic_partition& partition_records::topic_partition() const noexcept {
    return set_->only_partition();
}

record_iterator partition_records::begin() & { return record_iterator(set_.get()); }

bool partition_records::empty() { return !set_->has_records(); }

offset_and_metadata partition_records::next_offset() const { return set_->next_offsets().begin()->second; }

std::optional<error> partition_records::failure() const {
    const auto troubles = set_->troubles();
    if (troubles.empty()) return std::nullopt;
    troubles.front()->tell();
    return troubles.front()->reason();
}

}  // namespace strandline::inline v0
