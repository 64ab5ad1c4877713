// A program under test or a server it needs: started with pipes, signalled, waited for with a deadline, and never left
// behind, not even when the test itself is killed.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "tests/live/line_collector.hpp"

namespace strandline::live {

struct child_options {
    std::vector<std::string> command;
    std::map<std::string, std::string> environment = {};
    // Copies of what it prints; empty: none.
    std::filesystem::path output_copy = {};
    std::filesystem::path error_copy = {};
    // False: nobody reads its stdout unless the test does, through output_descriptor().
    bool collect_output = true;
    // Its stderr is a pseudo-terminal.
    bool terminal_errors = false;
};

class child_process {
public:
    using milliseconds = std::chrono::milliseconds;

    // Throws std::runtime_error when the program cannot be started.
    explicit child_process(const child_options& options);
    // Kills it if it still runs.
    ~child_process();
    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;

    pid_t id() const noexcept { return id_; }
    bool is_running();
    void send_signal(int signal);
    // Its exit status, or 128 + the signal that ended it, as a shell has it; nothing if it still runs then.
    std::optional<int> wait(milliseconds timeout);

    void write(std::string_view text);
    void close_input();

    // What it wrote to stdout; only with collect_output.
    const line_collector& output() const { return *output_; }
    const line_collector& errors() const { return *errors_; }
    // The reading end of its stdout; only without collect_output.
    int output_descriptor() const noexcept { return output_descriptor_; }
    void close_output();

private:
    pid_t id_ = -1;
    int handle_ = -1;
    int input_ = -1;
    int output_descriptor_ = -1;
    std::optional<int> status_;
    std::unique_ptr<line_collector> output_;
    std::unique_ptr<line_collector> errors_;
};

}  // namespace strandline::live
