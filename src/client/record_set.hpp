// What one poll gathered: readers in the order of delivery, and what there is to say without records.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <strandline/offsets.hpp>
#include <strandline/position_reset.hpp>

#include "client/part_progress.hpp"
#include "client/partition_reader.hpp"

namespace strandline::client {

class record_set {
public:
    void add(std::shared_ptr<partition_reader> reader) { readers_.push_back(std::move(reader)); }
    // A stretch without records: only its end is told.
    void add_position(core::boundary::partition_ref partition, offset_and_metadata next) {
        positions_.emplace_back(std::move(partition), std::move(next));
    }
    void add_trouble(std::shared_ptr<partition_trouble> trouble) { troubles_.push_back(std::move(trouble)); }

    void add_resets(std::vector<position_reset> resets) { resets_ = std::move(resets); }

    // A pass: the first reader, then the one after `done`. Null: the end. Once a partition has failed, later stretches
    // of it are passed over.
    partition_reader* first();
    partition_reader* after(const partition_reader& done);
    bool has_records() const;
    bool says_anything() const noexcept { return !readers_.empty() || !troubles_.empty(); }
    offsets next_offsets() const;
    std::vector<std::shared_ptr<partition_trouble>> troubles() const;
    const std::vector<position_reset>& resets() const noexcept { return resets_; }
    // One set per partition; this one is empty afterwards.
    std::vector<std::unique_ptr<record_set>> split();
    // Of a set that split() made.
    const topic_partition& only_partition() const noexcept { return readers_.front()->partition(); }

private:
    partition_reader* pick();
    bool has_failed(core::boundary::slot_id slot) const;

    std::size_t index_ = 0;  // of the pass
    std::vector<core::boundary::slot_id> failed_;  // in the pass
    std::vector<std::shared_ptr<partition_reader>> readers_;
    std::vector<std::pair<core::boundary::partition_ref, offset_and_metadata>> positions_;
    std::vector<std::shared_ptr<partition_trouble>> troubles_;
    std::vector<position_reset> resets_;
};

}  // namespace strandline::client
