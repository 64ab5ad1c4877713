// The reading thread and the waits on what it has read.
#include "tests/live/line_collector.hpp"

#include <cerrno>
#include <unistd.h>

namespace strandline::live {

line_collector::line_collector(int descriptor, const std::filesystem::path& tee) : descriptor_(descriptor) {
    if (!tee.empty()) tee_.open(tee, std::ios::app | std::ios::binary);
    reader_ = std::thread([this] { read_all(); });
}

line_collector::~line_collector() {
    reader_.join();
    ::close(descriptor_);
}

void line_collector::read_all() {
    std::vector<char> bytes(1 << 16);
    for (;;) {
        const auto got = ::read(descriptor_, bytes.data(), bytes.size());
        if (got > 0) {
            take(bytes.data(), static_cast<std::size_t>(got));
        } else if (got == 0 || errno != EINTR) {
            // A pseudo-terminal whose other end is closed reports EIO rather than an end.
            break;
        }
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
}

void line_collector::take(const char* bytes, std::size_t count) {
    if (tee_.is_open()) tee_.write(bytes, static_cast<std::streamsize>(count)).flush();
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < count; ++i) {
        if (bytes[i] == '\n') {
            lines_.push_back(std::move(unfinished_));
            unfinished_.clear();
        } else {
            unfinished_.push_back(bytes[i]);
        }
    }
    changed_.notify_all();
}

std::vector<std::string> line_collector::lines() const { return lines_from(0); }

std::vector<std::string> line_collector::lines_from(std::size_t first) const {
    const std::lock_guard lock(mutex_);
    if (first >= lines_.size()) return {};
    return {lines_.begin() + static_cast<std::ptrdiff_t>(first), lines_.end()};
}

std::size_t line_collector::count() const {
    const std::lock_guard lock(mutex_);
    return lines_.size();
}

std::string line_collector::unfinished() const {
    const std::lock_guard lock(mutex_);
    return unfinished_;
}

std::string line_collector::text() const {
    const std::lock_guard lock(mutex_);
    std::string all;
    for (const auto& line : lines_) all += line + '\n';
    return all + unfinished_;
}

bool line_collector::wait_for_lines(std::size_t count, milliseconds timeout) const {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, timeout, [&] { return lines_.size() >= count || ended_; });
    return lines_.size() >= count;
}

bool line_collector::wait_for_text(const std::string& part, milliseconds timeout) const {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    std::unique_lock lock(mutex_);
    std::size_t looked_at = 0;
    for (;;) {
        for (; looked_at < lines_.size(); ++looked_at) {
            if (lines_[looked_at].find(part) != std::string::npos) return true;
        }
        if (unfinished_.find(part) != std::string::npos) return true;
        if (ended_ || changed_.wait_until(lock, deadline) == std::cv_status::timeout) return false;
    }
}

bool line_collector::wait_for_end(milliseconds timeout) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, timeout, [&] { return ended_; });
}

}  // namespace strandline::live
