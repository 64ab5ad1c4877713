// fork, exec and a process handle to wait on.
#include "tests/live/child_process.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace strandline::live {

namespace {

struct channel {
    int ours;
    int theirs;
};

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

channel pipe_to_read() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
    return {ends[0], ends[1]};
}

channel pipe_to_write() {
    const auto ends = pipe_to_read();
    return {ends.theirs, ends.ours};
}

channel terminal() {
    channel ends{};
    if (::openpty(&ends.ours, &ends.theirs, nullptr, nullptr, nullptr) != 0) fail("openpty");
    ::fcntl(ends.ours, F_SETFD, FD_CLOEXEC);
    ::fcntl(ends.theirs, F_SETFD, FD_CLOEXEC);
    return ends;
}

void close_if_open(int& descriptor) {
    if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

// Between fork and exec only what is safe in a child of a process with threads.
[[noreturn]] void become(char* const* arguments, char* const* environment, int input, int output, int errors) {
    // The test may be killed from outside; what it started must not outlive it.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A group of its own: an interrupt typed at the terminal reaches the test only.
    ::setpgid(0, 0);
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    sigset_t none;
    sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    ::execvpe(arguments[0], arguments, environment);
    ::_exit(127);
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        if (!changes.contains(std::string(text.substr(0, text.find('='))))) all.emplace_back(text);
    }
    for (const auto& [name, value] : changes) all.emplace_back(name).append("=").append(value);
    return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (auto& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

child_process::child_process(const child_options& options) {
    // Writing to a child that has gone is an error to report, not the end of the test.
    ::signal(SIGPIPE, SIG_IGN);
    auto command = options.command;
    auto environment = environment_with(options.environment);
    const auto argument_pointers = pointers_to(command);
    const auto environment_pointers = pointers_to(environment);
    const auto input = pipe_to_write();
    const auto output = pipe_to_read();
    const auto errors = options.terminal_errors ? terminal() : pipe_to_read();

    id_ = ::fork();
    if (id_ < 0) fail("fork");
    if (id_ == 0) {
        become(argument_pointers.data(), environment_pointers.data(), input.theirs, output.theirs, errors.theirs);
    }
    for (const int descriptor : {input.theirs, output.theirs, errors.theirs}) ::close(descriptor);
    // By number: glibc 2.36 declares the function with C++ linkage.
    handle_ = static_cast<int>(::syscall(SYS_pidfd_open, id_, 0));
    if (handle_ < 0) fail("pidfd_open");
    input_ = input.ours;
    errors_ = std::make_unique<line_collector>(errors.ours, options.error_copy);
    if (options.collect_output) {
        output_ = std::make_unique<line_collector>(output.ours, options.output_copy);
    } else {
        output_descriptor_ = output.ours;
    }
}

child_process::~child_process() {
    if (is_running()) {
        // The whole group: a program that has children of its own takes them along.
        ::kill(-id_, SIGKILL);
        ::kill(id_, SIGKILL);
        wait(std::chrono::minutes(1));
    }
    close_if_open(input_);
    close_if_open(output_descriptor_);
    close_if_open(handle_);
}

bool child_process::is_running() { return !wait(milliseconds(0)); }

void child_process::send_signal(int signal) {
    if (!status_) ::kill(id_, signal);
}

std::optional<int> child_process::wait(milliseconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (!status_) {
        const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
        pollfd ended{.fd = handle_, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&ended, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return std::nullopt;
        int status = 0;
        if (::waitpid(id_, &status, 0) != id_) fail("waitpid");
        status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        // What it printed at last may still stand in the pipes.
        if (output_) output_->wait_for_end(std::chrono::seconds(10));
        errors_->wait_for_end(std::chrono::seconds(10));
    }
    return status_;
}

void child_process::write(std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(input_, text.data(), text.size());
        if (written < 0 && errno != EINTR) fail("writing to " + std::to_string(id_));
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void child_process::close_input() { close_if_open(input_); }

void child_process::close_output() { close_if_open(output_descriptor_); }

}  // namespace strandline::live
