// How far the application has come with one stretch of a partition that a poll handed out.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <strandline/error.hpp>

#include "core/boundary/delivery.hpp"

namespace strandline::client {

// Trouble of a partition that the application must hear of exactly once: where it looks for it, or else from the next
// poll.
class partition_trouble {
public:
    partition_trouble(core::boundary::partition_ref partition, error reason)
        : partition_(std::move(partition)), reason_(std::move(reason)) {}

    const topic_partition& partition() const noexcept { return partition_->name; }
    const error& reason() const noexcept { return reason_; }
    // True for the first who asks.
    bool tell() noexcept { return !told_.exchange(true); }

private:
    core::boundary::partition_ref partition_;
    error reason_;
    std::atomic<bool> told_{false};
};

// Written by whoever iterates, read by the polling thread. The mark is stored with release order for each record, which
// costs nothing; nobody waits for it.
struct part_progress {
    part_progress(core::boundary::slot_id in_slot, core::boundary::incarnation of_era,
                  core::boundary::partition_ref of_partition, std::int64_t begin, std::int64_t finish,
                  std::int32_t last_epoch)
        : slot(in_slot),
          era(of_era),
          partition(std::move(of_partition)),
          from(begin),
          to(finish),
          next_epoch(last_epoch),
          mark_(begin) {}

    const core::boundary::slot_id slot;
    const core::boundary::incarnation era;
    const core::boundary::partition_ref partition;
    const std::int64_t from;
    const std::int64_t to;
    const std::int32_t next_epoch;  // of the last batch; -1 when the stretch ends inside a fetch

    struct reached {
        std::int64_t offset;  // next to process
        std::int32_t leader_epoch;
    };
    // The epoch may be newer than the offset for a moment: harmless to a later validation, where an older one is not.
    reached so_far() const noexcept {
        const auto offset = mark_.load(std::memory_order_acquire);
        return {offset, epoch_.load(std::memory_order_acquire)};
    }
    void enter_batch(std::int32_t leader_epoch) noexcept { epoch_.store(leader_epoch, std::memory_order_release); }
    void pass_to(std::int64_t next) noexcept { mark_.store(next, std::memory_order_release); }
    // Iteration has come to the end.
    void finish() noexcept {
        if (next_epoch >= 0) enter_batch(next_epoch);
        pass_to(to);
    }

    // A batch proved bad while it was decoded; the mark stands before it.
    void fail(std::shared_ptr<partition_trouble> why) {
        const std::lock_guard held(mutex_);
        if (!failure_) failure_ = std::move(why);
        failed_.store(true, std::memory_order_release);
    }
    bool has_failed() const noexcept { return failed_.load(std::memory_order_acquire); }
    std::shared_ptr<partition_trouble> failure() const {
        if (!has_failed()) return nullptr;
        const std::lock_guard held(mutex_);
        return failure_;
    }

    void release() noexcept { held_.store(false, std::memory_order_release); }
    bool is_held() const noexcept { return held_.load(std::memory_order_acquire); }

private:
    std::atomic<std::int64_t> mark_;
    std::atomic<std::int32_t> epoch_{-1};
    std::atomic<bool> held_{true};
    std::atomic<bool> failed_{false};
    mutable std::mutex mutex_;
    std::shared_ptr<partition_trouble> failure_;
};

}  // namespace strandline::client
