// stdout, as a sequence of records: knows which of them have reached the kernel.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "apps/consume/partition_progress.hpp"
#include "apps/consume/stop.hpp"

namespace strandline::apps::consume {

class record_output {
public:
    enum class state : std::uint8_t {
        open,
        closed,       // nobody reads any more
        interrupted,  // a stop was asked for while it was blocked
        failed,       // see failure()
    };
    struct totals {
        std::uint64_t records = 0;
        std::uint64_t payload = 0;  // keys and values
    };

    // `while_blocked` runs now and then while the other side does not read.
    record_output(int file, stop& stopping, std::function<void()> while_blocked = {});

    // What the next record's text is appended to; then end_record.
    std::string& text() noexcept { return text_; }
    void begin_partition(partition_progress& progress);
    // The partition begun last goes on at `next` once the text so far has been written.
    void end_record(std::int64_t next, std::int32_t leader_epoch, std::uint64_t payload) {
        marks_.push_back({text_.size(), next, payload, leader_epoch, true});
    }
    // The same, beyond what nobody prints: control records, compacted stretches.
    void settle(const offset_and_metadata& next) {
        marks_.push_back({text_.size(), next.offset, 0, next.leader_epoch.value_or(-1), false});
    }

    bool is_full() const noexcept { return text_.size() >= full || marks_.size() >= most_marks; }
    // Writes everything; progress counts what the kernel took. Whatever is left is dropped.
    state flush();
    // Without writing: whether somebody still reads.
    bool is_closed() const noexcept;

    const totals& written() const noexcept { return written_; }
    const std::string& failure() const noexcept { return failure_; }

private:
    // Large enough that a system call costs little beside what it carries.
    static constexpr std::size_t full = std::size_t{256} * 1024;
    static constexpr std::size_t most_marks = std::size_t{64} * 1024;

    struct mark {
        std::size_t end = 0;
        std::int64_t next = 0;
        std::uint64_t payload = 0;
        std::int32_t leader_epoch = -1;
        bool is_record = true;
    };
    struct stretch {
        partition_progress* progress = nullptr;
        std::size_t first_mark = 0;
    };

    state write(std::size_t& done);
    std::size_t end_of_record_at(std::size_t done) const;
    void count(std::size_t done);

    int file_;
    stop& stop_;
    std::function<void()> while_blocked_;
    std::string text_;
    std::vector<mark> marks_;
    std::vector<stretch> stretches_;
    totals written_;
    std::string failure_;
};

}  // namespace strandline::apps::consume
