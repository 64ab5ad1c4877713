#include "testkit/fake_cluster/partition_log.hpp"

#include <algorithm>
#include <cstring>

#include "records/batch_builder.hpp"
#include "records/batch_scanner.hpp"
#include "records/batch_stamp.hpp"
#include "records/decompression_context.hpp"
#include "records/record_reader.hpp"

namespace strandline::testkit::fake {

namespace {

records::record_batch view_of(const base::shared_bytes& bytes) {
    return records::batch_scanner::single(bytes, {.verify_checksums = false}).value_or(records::record_batch{});
}

records::batch_options options_of(const records::record_batch& batch) {
    records::batch_options options;
    options.codec = batch.codec();
    options.timestamp_type = batch.timestamp_type();
    if (options.timestamp_type == records::timestamp_type::log_append_time)
        options.log_append_time = batch.max_timestamp();
    options.base_offset = batch.base_offset();
    options.leader_epoch = batch.leader_epoch();
    options.producer_id = batch.producer_id();
    options.producer_epoch = batch.producer_epoch();
    options.base_sequence = batch.base_sequence();
    options.transactional = batch.is_transactional();
    return options;
}

}  // namespace

partition_log::appended partition_log::append(base::bytes_view batch, std::int32_t leader_epoch) {
    base::buffer copy(batch.size());
    std::memcpy(copy.writable().data(), batch.data(), batch.size());
    records::stamp_base_offset(copy.writable(), end_);
    records::stamp_leader_epoch(copy.writable(), leader_epoch);
    auto bytes = std::move(copy).freeze(batch.size());
    const auto header = view_of(bytes);
    const auto base = end_;
    if (header.is_transactional() && !header.is_control()) open_.emplace(header.producer_id(), base);
    epoch_starts_.emplace(leader_epoch, base);
    end_ = header.next_offset();
    batches_.push_back({base, end_, leader_epoch, std::move(bytes)});
    changed();
    return {base, header.timestamp_type() == records::timestamp_type::log_append_time ? header.max_timestamp() : -1};
}

void partition_log::append_raw(base::shared_bytes batches, std::int64_t next_offset, std::int32_t leader_epoch) {
    epoch_starts_.emplace(leader_epoch, end_);
    batches_.push_back({end_, next_offset, leader_epoch, std::move(batches)});
    end_ = next_offset;
    changed();
}

void partition_log::end_transaction(std::int64_t producer_id, std::int16_t producer_epoch, bool commit,
                                    std::int64_t timestamp, std::int32_t leader_epoch) {
    const auto open = open_.find(producer_id);
    if (open == open_.end()) return;
    const auto marker_offset = end_;
    const auto marker = records::make_transaction_marker(
        commit ? records::control_record_type::commit : records::control_record_type::abort, marker_offset, producer_id,
        producer_epoch, 0, timestamp, leader_epoch);
    const auto first = open->second;
    open_.erase(open);
    append(marker, leader_epoch);
    if (!commit) aborted_.push_back({producer_id, first, marker_offset});
}

std::vector<partition_log::stored_batch>::const_iterator partition_log::first_with(std::int64_t offset) const {
    return std::partition_point(batches_.begin(), batches_.end(),
                                [&](const stored_batch& batch) { return batch.next_offset <= offset; });
}

std::int64_t partition_log::last_stable_offset() const noexcept {
    auto stable = end_;
    for (const auto& [producer, first] : open_) stable = std::min(stable, first);
    return stable;
}

std::int64_t partition_log::visible_end(bool committed_only) const noexcept {
    return committed_only ? last_stable_offset() : end_;
}

partition_log::slice partition_log::read(std::int64_t from, std::size_t max_bytes, bool first_may_exceed,
                                         bool committed_only) const {
    const auto end = visible_end(committed_only);
    const auto first = first_with(from);
    slice out;
    if (first == batches_.end() || first->base_offset >= end) return out;
    if (first->bytes.size() > max_bytes && !first_may_exceed) return out;
    const auto limit = std::max(max_bytes, first->bytes.size());
    std::size_t size = 0;
    auto last = first;
    for (; last != batches_.end() && last->base_offset < end && size < limit; ++last) size += last->bytes.size();
    size = std::min(size, limit);
    if (std::next(first) == last) {
        out.bytes = first->bytes;
    } else {
        // The last one is cut off where there is no room for the rest of it.
        base::buffer joined(size);
        std::size_t at = 0;
        for (auto batch = first; batch != last; ++batch) {
            const auto part = std::min(batch->bytes.size(), size - at);
            std::memcpy(joined.writable().data() + at, batch->bytes.data(), part);
            at += part;
        }
        out.bytes = std::move(joined).freeze(size);
    }
    if (committed_only) {
        const auto up_to = std::prev(last)->next_offset;
        for (const auto& one : aborted_) {
            if (one.last_offset >= from && one.first_offset < up_to) {
                out.aborted.push_back({one.producer_id, one.first_offset});
            }
        }
    }
    return out;
}

std::size_t partition_log::available(std::int64_t from, std::size_t enough, bool committed_only) const {
    const auto end = visible_end(committed_only);
    std::size_t size = 0;
    for (auto batch = first_with(from); size < enough && batch != batches_.end() && batch->base_offset < end; ++batch) {
        size += batch->bytes.size();
    }
    return size;
}

partition_log::found_time partition_log::find_time(std::int64_t timestamp) const {
    for (auto batch = first_with(start_); batch != batches_.end(); ++batch) {
        const auto header = view_of(batch->bytes);
        if (header.bytes().empty() || header.is_control() || header.max_timestamp() < timestamp) continue;
        records::decompression_context context;
        records::record_reader reader(header, context, {});
        records::record_view record;
        while (reader.next(record) == records::read_status::record) {
            if (record.timestamp >= timestamp && record.offset >= start_) {
                return {record.offset, record.timestamp, batch->leader_epoch};
            }
        }
    }
    return {};
}

partition_log::found_time partition_log::find_max_timestamp() const {
    found_time newest;
    for (auto batch = first_with(start_); batch != batches_.end(); ++batch) {
        const auto header = view_of(batch->bytes);
        if (header.bytes().empty() || header.max_timestamp() <= newest.timestamp) continue;
        newest = {header.last_offset(), header.max_timestamp(), batch->leader_epoch};
    }
    return newest;
}

partition_log::epoch_end partition_log::end_of_epoch(std::int32_t epoch) const {
    if (epoch < 0 || epoch_starts_.empty() || epoch > epoch_starts_.rbegin()->first) return {};
    const auto next = epoch_starts_.upper_bound(epoch);
    const auto end = next == epoch_starts_.end() ? end_ : next->second;
    // Before the first epoch it knows, the log takes the client's word for which epoch that was.
    return {next == epoch_starts_.begin() ? epoch : std::prev(next)->first, end};
}

std::int32_t partition_log::epoch_at(std::int64_t offset) const {
    std::int32_t found = -1;
    for (const auto& [epoch, start] : epoch_starts_) {
        if (start < offset) found = epoch;
    }
    return found;
}

void partition_log::delete_before(std::int64_t offset) {
    start_ = std::clamp(offset, start_, end_);
    batches_.erase(batches_.begin(), first_with(start_));
    changed();
}

void partition_log::truncate_to(std::int64_t offset) {
    while (!batches_.empty() && batches_.back().next_offset > offset) batches_.pop_back();
    end_ = batches_.empty() ? std::min(end_, std::max(offset, start_)) : batches_.back().next_offset;
    std::erase_if(epoch_starts_, [&](const auto& entry) { return entry.second >= end_ && entry.second != 0; });
    std::erase_if(open_, [&](const auto& entry) { return entry.second >= end_; });
    std::erase_if(aborted_, [&](const aborted_range& one) { return one.last_offset >= end_; });
    changed();
}

void partition_log::begin_epoch(std::int32_t epoch) {
    // An epoch in which nothing was written is not in the history, as in Kafka's own epoch cache.
    std::erase_if(epoch_starts_, [&](const auto& entry) { return entry.second >= end_; });
    epoch_starts_[epoch] = end_;
}

void partition_log::compact(const std::function<bool(const records::record_view&)>& keep, bool keep_empty_batches) {
    std::vector<stored_batch> left;
    for (auto& one : batches_) {
        const auto batch = view_of(one.bytes);
        if (batch.bytes().empty() || batch.is_legacy() || batch.is_control()) {
            left.push_back(std::move(one));
            continue;
        }
        records::batch_builder builder(options_of(batch));
        records::decompression_context context;
        records::record_reader reader(batch, context, {});
        records::record_view record;
        while (reader.next(record) == records::read_status::record) {
            if (!keep(record)) continue;
            const auto headers = record.headers();
            builder.append_at(
                record.offset,
                {.timestamp = record.timestamp, .key = record.key(), .value = record.value(), .headers = headers});
        }
        if (builder.record_count() == 0 && !keep_empty_batches) continue;
        one.bytes = builder.reach(batch.last_offset()).build();
        left.push_back(std::move(one));
    }
    batches_ = std::move(left);
    changed();
}

}  // namespace strandline::testkit::fake
