// The tool as a process: its arguments, streams, signals and end.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace strandline::system_tests {

class tool_process {
public:
    enum class stream : std::uint8_t { pipe, terminal };
    // What a test waits for at the longest; then it fails.
    static constexpr auto patience = std::chrono::seconds(30);

    explicit tool_process(std::vector<std::string> arguments, stream output = stream::pipe,
                          stream errors = stream::pipe);
    ~tool_process();
    tool_process(const tool_process&) = delete;
    tool_process& operator=(const tool_process&) = delete;

    pid_t id() const noexcept { return process_; }
    // The next lines on stdout, without their ends; fewer when it ends before.
    std::vector<std::string> lines(std::size_t count);
    std::string line();
    // All that is left of stdout, until it ends.
    std::vector<std::string> rest() { return lines(SIZE_MAX); }
    // Waits for text on stderr.
    bool says(const std::string& text);
    // stderr until it ends.
    std::string errors();

    void send(int signal) const;
    void close_output();
    // Waits for its end: the exit status, or minus the signal that ended it.
    int status();

private:
    bool read_more(int file, std::string& to);

    pid_t process_ = -1;
    int output_ = -1;
    int errors_ = -1;
    std::string unread_output_;
    std::string read_errors_;
};

struct finished_tool {
    int status = -1;
    std::vector<std::string> output;
    std::string errors;
};
// Runs it to its end.
finished_tool run_tool(std::vector<std::string> arguments);

}  // namespace strandline::system_tests
