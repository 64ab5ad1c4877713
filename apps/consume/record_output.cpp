#include "apps/consume/record_output.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <poll.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace strandline::apps::consume {

namespace {

// How long a record that is written in part may take to be finished once a stop was asked for.
constexpr auto grace = std::chrono::seconds(1);
constexpr int blocked_tick_ms = 100;

}  // namespace

record_output::record_output(int file, stop& stopping, std::function<void()> while_blocked)
    : file_(file), stop_(stopping), while_blocked_(std::move(while_blocked)) {}

void record_output::begin_partition(partition_progress& progress) { stretches_.push_back({&progress, marks_.size()}); }

record_output::state record_output::flush() {
    std::size_t done = 0;
    const auto now = write(done);
    count(done);
    text_.clear();
    // The partition at hand may go on.
    const auto last = stretches_.empty() ? nullptr : stretches_.back().progress;
    marks_.clear();
    stretches_.clear();
    if (last) stretches_.push_back({last, 0});
    return now;
}

record_output::state record_output::write(std::size_t& done) {
    auto end = text_.size();
    std::optional<stop::clock::time_point> give_up;
    while (done < end) {
        const auto written = ::write(file_, text_.data() + done, end - done);
        if (written >= 0) {
            done += static_cast<std::size_t>(written);
        } else if (errno == EPIPE || errno == EBADF) {
            return state::closed;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            pollfd room{file_, POLLOUT, 0};
            ::poll(&room, 1, blocked_tick_ms);
        } else if (errno != EINTR) {
            failure_ = std::error_code(errno, std::generic_category()).message();
            return state::failed;
        }
        if (done == end) break;
        // It did not take everything at once: it is blocked.
        if (while_blocked_) while_blocked_();
        if (!stop_.requested()) continue;
        if (!give_up) {
            give_up = stop::clock::now() + grace;
            end = done == 0 ? 0 : end_of_record_at(done);
        }
        if (done >= end || stop::clock::now() >= *give_up) return state::interrupted;
    }
    return end == text_.size() ? state::open : state::interrupted;
}

// Where the record ends that has been written in part.
std::size_t record_output::end_of_record_at(std::size_t done) const {
    const auto at = std::ranges::lower_bound(marks_, done, {}, &mark::end);
    return at == marks_.end() ? text_.size() : at->end;
}

void record_output::count(std::size_t done) {
    const auto passed =
        static_cast<std::size_t>(std::distance(marks_.begin(), std::ranges::upper_bound(marks_, done, {}, &mark::end)));
    for (std::size_t i = 0; i < passed; ++i) {
        written_.records += marks_[i].is_record ? 1 : 0;
        written_.payload += marks_[i].payload;
    }
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
        const auto end = i + 1 < stretches_.size() ? stretches_[i + 1].first_mark : marks_.size();
        const auto last = std::min(end, passed);
        // The consumer has moved on beyond what was printed of it: its position is nothing to commit.
        if (last < end) stretches_[i].progress->is_cut = true;
        if (last <= stretches_[i].first_mark) continue;
        const auto& reached = marks_[last - 1];
        stretches_[i].progress->next = offset_and_metadata(
            reached.next, reached.leader_epoch < 0 ? std::nullopt : std::optional(reached.leader_epoch));
    }
}

bool record_output::is_closed() const noexcept {
    pollfd asked{file_, 0, 0};
    return ::poll(&asked, 1, 0) > 0 && (asked.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
}

}  // namespace strandline::apps::consume
