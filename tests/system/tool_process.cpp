#include "tests/system/tool_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

namespace strandline::system_tests {

namespace {

struct ends {
    int ours = -1;
    int theirs = -1;
};

ends open_stream(tool_process::stream kind) {
    if (kind == tool_process::stream::pipe) {
        std::array<int, 2> pair{};
        EXPECT_EQ(::pipe2(pair.data(), O_CLOEXEC), 0);
        return {pair[0], pair[1]};
    }
    const int ours = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    EXPECT_EQ(::grantpt(ours), 0);
    EXPECT_EQ(::unlockpt(ours), 0);
    std::array<char, 128> name{};
    EXPECT_EQ(::ptsname_r(ours, name.data(), name.size()), 0);
    return {ours, ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC)};
}

}  // namespace

tool_process::tool_process(std::vector<std::string> arguments, stream output, stream errors) {
    const auto out = open_stream(output);
    const auto err = open_stream(errors);
    arguments.insert(arguments.begin(), STRANDLINE_TOOL);
    std::vector<char*> pointers;
    for (auto& each : arguments) pointers.push_back(each.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out.theirs, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.theirs, STDERR_FILENO);
    EXPECT_EQ(posix_spawn(&process_, STRANDLINE_TOOL, &actions, nullptr, pointers.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(out.theirs);
    ::close(err.theirs);
    output_ = out.ours;
    errors_ = err.ours;
}

tool_process::~tool_process() {
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    close_output();
    ::close(errors_);
}

bool tool_process::read_more(int file, std::string& to) {
    pollfd readable{file, POLLIN, 0};
    const auto wait = static_cast<int>(std::chrono::milliseconds(patience).count());
    if (::poll(&readable, 1, wait) <= 0) {
        ADD_FAILURE() << "nothing came within patience";
        return false;
    }
    std::array<char, 65536> bytes;
    const auto got = ::read(file, bytes.data(), bytes.size());
    // A terminal whose other side is gone says EIO.
    if (got <= 0) return false;
    to.append(bytes.data(), static_cast<std::size_t>(got));
    return true;
}

std::vector<std::string> tool_process::lines(std::size_t count) {
    std::vector<std::string> found;
    std::size_t from = 0;
    while (found.size() < count) {
        const auto end = unread_output_.find('\n', from);
        if (end == std::string::npos) {
            unread_output_.erase(0, from);
            from = 0;
            if (!read_more(output_, unread_output_)) break;
            continue;
        }
        found.push_back(unread_output_.substr(from, end - from));
        if (found.back().ends_with('\r')) found.back().pop_back();
        from = end + 1;
    }
    unread_output_.erase(0, from);
    return found;
}

std::string tool_process::line() {
    auto one = lines(1);
    return one.empty() ? std::string() : one.front();
}

bool tool_process::says(const std::string& text) {
    while (read_errors_.find(text) == std::string::npos) {
        if (!read_more(errors_, read_errors_)) return false;
    }
    return true;
}

std::string tool_process::errors() {
    while (read_more(errors_, read_errors_)) {
    }
    return read_errors_;
}

void tool_process::send(int signal) const { EXPECT_EQ(::kill(process_, signal), 0); }

void tool_process::close_output() {
    if (output_ >= 0) ::close(output_);
    output_ = -1;
}

int tool_process::status() {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    int status = 0;
    for (;;) {
        const auto ended = ::waitpid(process_, &status, WNOHANG);
        if (ended == process_) break;
        if (std::chrono::steady_clock::now() >= deadline) {
            ADD_FAILURE() << "the tool did not end";
            return -1;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

finished_tool run_tool(std::vector<std::string> arguments) {
    tool_process tool(std::move(arguments));
    finished_tool finished;
    finished.output = tool.rest();
    finished.errors = tool.errors();
    finished.status = tool.status();
    return finished;
}

}  // namespace strandline::system_tests
