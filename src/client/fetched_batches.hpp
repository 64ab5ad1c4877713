// The batches of one completed fetch that carry records for the application, found without decompressing anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/boundary/delivery.hpp"
#include "records/record_batch.hpp"
#include "records/record_error.hpp"
#include "records/record_reader.hpp"

namespace strandline::client {

// Shared by the stretches that max.poll.records cuts a fetch into.
class fetched_batches {
public:
    explicit fetched_batches(std::shared_ptr<const core::boundary::completed_fetch> source);

    const core::boundary::completed_fetch& source() const noexcept { return *source_; }
    // Control batches, aborted ones and those that compaction has emptied are left out.
    const std::vector<records::record_batch>& batches() const noexcept { return batches_; }
    // What cannot be judged, after the batches above: a marker that cannot be read.
    const std::optional<records::record_error>& failure() const noexcept { return failure_; }
    // Index of the first batch that reaches `offset` or beyond.
    std::size_t first_reaching(std::int64_t offset) const noexcept;
    // Whether a batch has something in [from, to), as far as can be told without decoding.
    bool may_have_records(std::int64_t from, std::int64_t to) const noexcept;

    // Where one stretch ended inside a batch the next one begins: the reader is handed over, and nothing decompressed
    // twice.
    struct continuation {
        std::size_t batch = 0;
        records::record_reader reader;
        records::record_view first;  // already decoded
    };
    void leave(continuation next);
    std::optional<continuation> take(std::size_t batch, std::int64_t from);

private:
    std::shared_ptr<const core::boundary::completed_fetch> source_;
    std::vector<records::record_batch> batches_;
    std::optional<records::record_error> failure_;

    std::mutex mutex_;
    std::optional<continuation> continuation_;
};

}  // namespace strandline::client
