// Decodes what a poll handed out of one partition, on demand and where it is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include <strandline/offsets.hpp>
#include <strandline/record.hpp>

#include "client/decoding.hpp"
#include "client/fetched_batches.hpp"
#include "client/part_progress.hpp"
#include "records/record_reader.hpp"

namespace strandline::client {

// Used by one thread at a time. Keeps the decoded bytes of every batch it opened until it is gone: records are views
// into them.
class partition_reader {
public:
    partition_reader(std::shared_ptr<part_progress> progress, std::shared_ptr<fetched_batches> batches,
                     std::shared_ptr<decoding> how);
    ~partition_reader();
    partition_reader(const partition_reader&) = delete;
    partition_reader& operator=(const partition_reader&) = delete;

    // Starts a pass. Batches that were opened before are not decompressed again.
    void rewind();
    // False: the end, or a failure.
    bool next(record& out) {
        records::record_view view;
        auto status = records::read_status::end;
        if (active_) [[likely]] {
            status = reader_.next(view);
            if (status == records::read_status::record && view.offset < progress_->to) [[likely]] {
                fill(out, view);
                return true;
            }
        }
        return go_on(status, view, out);
    }
    // The application is through with this record.
    void pass(const record& done) noexcept {
        if (done.offset() >= passed_) [[likely]] {
            passed_ = done.offset() + 1;
            progress_->pass_to(passed_);
        }
    }
    // The application has seen the end of the pass.
    void pass_end() noexcept;

    bool has_records();
    const topic_partition& partition() const noexcept { return progress_->partition->name; }
    const std::shared_ptr<part_progress>& progress() const noexcept { return progress_; }
    offset_and_metadata next_offset() const;
    // Of decoding, or what the broker's answer ended with.
    std::shared_ptr<partition_trouble> trouble() const;
    void set_trouble_behind(std::shared_ptr<partition_trouble> what) { behind_ = std::move(what); }

private:
    struct opened {
        record::batch common;
        records::record_reader at_start;
        std::optional<records::record_view> first;  // decoded already by the stretch before
    };

    void fill(record& out, const records::record_view& view) const noexcept {
        out.offset_ = view.offset;
        out.timestamp_ = view.timestamp;
        out.key_data_ = view.key_data;
        out.value_data_ = view.value_data;
        out.header_data_ = view.header_data;
        out.key_size_ = view.key_size;
        out.value_size_ = view.value_size;
        out.header_count_ = view.header_count;
        out.batch_ = common_;
    }
    bool go_on(records::read_status status, records::record_view view, record& out);
    bool enter_next_batch();
    opened& open(std::size_t index);
    bool end_pass() noexcept;
    void fail(const records::record_error& why);

    std::shared_ptr<part_progress> progress_;
    std::shared_ptr<fetched_batches> batches_;
    std::shared_ptr<decoding> how_;
    std::size_t begin_;           // index of the first batch of this stretch
    std::deque<opened> opened_;   // batches_[begin_ + i]
    std::shared_ptr<partition_trouble> behind_;

    // The pass.
    std::size_t next_ = 0;  // in opened_: the batch after the active one
    bool active_ = false;
    bool ended_ = false;
    records::record_reader reader_;
    const record::batch* common_ = nullptr;
    std::int64_t passed_;
};

}  // namespace strandline::client
