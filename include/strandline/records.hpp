// What a poll returns.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/export.hpp>
#include <strandline/offsets.hpp>
#include <strandline/position_reset.hpp>
#include <strandline/record.hpp>
#include <strandline/topic_partition.hpp>

namespace strandline {
namespace client {
class record_set;
}

inline namespace v0 {

// A partition that stands: nothing more of it is delivered until it is sought.
struct partition_error {
    strandline::topic_partition partition;
    error reason;
};

// Walks records; dereferences to a record inside the iterator, valid until it moves. A record counts as processed once
// the iterator has moved past it. One pass at a time: begin() starts again from the first record. What cannot be read
// ends the walk of its partition, never with an exception: the error is told beside the records.
class STRANDLINE_API record_iterator {
public:
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::input_iterator_tag;
    using value_type = record;
    using difference_type = std::ptrdiff_t;
    using pointer = const record*;
    using reference = const record&;

    record_iterator() noexcept = default;
    reference operator*() const noexcept { return current_; }
    pointer operator->() const noexcept { return &current_; }
    record_iterator& operator++() {
        advance();
        return *this;
    }
    void operator++(int) { advance(); }
    friend bool operator==(const record_iterator& at, std::default_sentinel_t) noexcept {
        return at.reader_ == nullptr;
    }

private:
    friend class polled_records;
    friend class partition_records;
    explicit record_iterator(client::record_set* set);
    void advance();
    void find();

    client::record_set* set_ = nullptr;
    client::partition_reader* reader_ = nullptr;  // null: at the end
    record current_;
};

// The records of one partition. May be moved to another thread and is decompressed and decoded there, one thread at a
// time. Movable only; the bytes live as long as it does, also after the consumer is gone.
class STRANDLINE_API partition_records {
public:
    partition_records(partition_records&&) noexcept;
    partition_records& operator=(partition_records&&) noexcept;
    ~partition_records();

    const strandline::topic_partition& topic_partition() const noexcept;
    record_iterator begin() &;
    record_iterator begin() && = delete;
    std::default_sentinel_t end() const noexcept { return {}; }
    // No record will come; may have to decompress to tell. An iterator that is under way starts again.
    bool empty();
    // The position behind everything in here.
    offset_and_metadata next_offset() const;
    // Why iteration ended early, or why nothing follows; iterating may come upon it.
    std::optional<error> failure() const;

private:
    friend class polled_records;
    explicit partition_records(std::unique_ptr<client::record_set> set);
    std::unique_ptr<client::record_set> set_;
};

// What one poll returned. Movable only; owns its bytes, which count against memory_limit until it goes away, also after
// the consumer is gone. One thread at a time. (Inside the library `records` is the room of the record format, hence the
// longer name.)
class STRANDLINE_API polled_records {
public:
    polled_records() noexcept;
    polled_records(polled_records&&) noexcept;
    polled_records& operator=(polled_records&&) noexcept;
    ~polled_records();

    // for (const record& r : consumer.poll(1s)) is safe; taking an iterator out of a temporary is not, and does not
    // compile.
    record_iterator begin() &;
    record_iterator begin() && = delete;
    std::default_sentinel_t end() const noexcept { return {}; }
    // No record will come; may have to decompress to tell. An iterator that is under way starts again.
    bool empty();

    // Its parts, to be worked on apart. What is asked of all of it, below, is asked before.
    std::vector<partition_records> by_partition() &&;
    std::vector<partition_records> by_partition() & = delete;

    // The position behind everything in here, per partition: beyond control records and aborted ones too (KIP-1094).
    offsets next_offsets() const;
    // Partitions that have something to say. What is not asked for here is reported by the next poll, once.
    std::vector<partition_error> errors() const;
    // Partitions whose position auto.offset.reset decided since the poll before; also without any record.
    const std::vector<position_reset>& resets() const noexcept;

    // For the library.
    explicit polled_records(std::unique_ptr<client::record_set> set) noexcept;

private:
    std::unique_ptr<client::record_set> set_;
};

#ifndef STRANDLINE_INSIDE
using records = polled_records;
#endif

}  // namespace v0
}  // namespace strandline
