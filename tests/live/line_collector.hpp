// Reads a descriptor to its end on a thread of its own, so that the writer never waits for the test, and gives lines.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace strandline::live {

class line_collector {
public:
    using milliseconds = std::chrono::milliseconds;

    // Owns `descriptor`; everything read is copied to `tee` as well, unless that is empty.
    explicit line_collector(int descriptor, const std::filesystem::path& tee = {});
    // Ends at once only when the other end is closed: end the writer first.
    ~line_collector();
    line_collector(const line_collector&) = delete;
    line_collector& operator=(const line_collector&) = delete;

    // Whole lines so far, without their ends.
    std::vector<std::string> lines() const;
    std::vector<std::string> lines_from(std::size_t first) const;
    std::size_t count() const;
    // What stands behind the last line end.
    std::string unfinished() const;
    std::string text() const;

    // Whether there were `count` lines by the deadline; false earlier when the writer has closed its end.
    bool wait_for_lines(std::size_t count, milliseconds timeout) const;
    bool wait_for_text(const std::string& part, milliseconds timeout) const;
    bool wait_for_end(milliseconds timeout) const;

private:
    void read_all();
    void take(const char* bytes, std::size_t count);

    int descriptor_;
    std::ofstream tee_;
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::vector<std::string> lines_;
    std::string unfinished_;
    bool ended_ = false;
    std::thread reader_;
};

}  // namespace strandline::live
