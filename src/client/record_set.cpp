#include "client/record_set.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace strandline::client {

bool record_set::has_failed(core::boundary::slot_id slot) const {
    return std::ranges::find(failed_, slot) != failed_.end();
}

partition_reader* record_set::pick() {
    while (index_ < readers_.size() && has_failed(readers_[index_]->progress()->slot)) ++index_;
    if (index_ == readers_.size()) return nullptr;
    readers_[index_]->rewind();
    return readers_[index_].get();
}

partition_reader* record_set::first() {
    index_ = 0;
    failed_.clear();
    return pick();
}

partition_reader* record_set::after(const partition_reader& done) {
    if (done.progress()->has_failed()) failed_.push_back(done.progress()->slot);
    ++index_;
    return pick();
}

bool record_set::has_records() const {
    return std::ranges::any_of(readers_, [](const auto& reader) { return reader->has_records(); });
}

offsets record_set::next_offsets() const {
    offsets found;
    const auto raise = [&](const topic_partition& partition, const offset_and_metadata& next) {
        const auto [at, is_new] = found.try_emplace(partition, next);
        if (!is_new && at->second.offset < next.offset) at->second = next;
    };
    for (const auto& [partition, next] : positions_) raise(partition->name, next);
    for (const auto& reader : readers_) raise(reader->partition(), reader->next_offset());
    // What lies behind a record that cannot be read is not reached.
    for (const auto& reader : readers_) {
        if (reader->progress()->has_failed()) found.insert_or_assign(reader->partition(), reader->next_offset());
    }
    return found;
}

std::vector<std::shared_ptr<partition_trouble>> record_set::troubles() const {
    auto found = troubles_;
    for (const auto& reader : readers_) {
        if (auto trouble = reader->trouble()) found.push_back(std::move(trouble));
    }
    return found;
}

std::vector<std::unique_ptr<record_set>> record_set::split() {
    std::vector<std::unique_ptr<record_set>> sets;
    std::unordered_map<core::boundary::slot_id, record_set*> of_slot;
    for (auto& reader : readers_) {
        auto*& same = of_slot[reader->progress()->slot];
        if (!same) same = sets.emplace_back(std::make_unique<record_set>()).get();
        same->add(std::move(reader));
    }
    readers_.clear();
    return sets;
}

}  // namespace strandline::client
