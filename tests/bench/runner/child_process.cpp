#include "tests/bench/runner/child_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "tests/bench/clock.hpp"

namespace strandline::bench {
namespace {

std::array<int, 2> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
    return ends;
}

[[noreturn]] void become(char* const* command, int input, int output, std::optional<int> core) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    if (core) {
        cpu_set_t cores;
        CPU_ZERO(&cores);
        CPU_SET(static_cast<unsigned>(*core), &cores);
        ::sched_setaffinity(0, sizeof cores, &cores);
    }
    ::execvp(command[0], command);
    ::_exit(127);
}

}  // namespace

child_process::child_process(const std::vector<std::string>& command, std::optional<int> core) {
    std::vector<char*> arguments;
    // exec takes them without const and changes nothing.
    for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    const auto to_child = make_pipe();
    const auto from_child = make_pipe();
    id_ = ::fork();
    if (id_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (id_ == 0) become(arguments.data(), to_child[0], from_child[1], core);
    ::close(to_child[0]);
    ::close(from_child[1]);
    input_ = to_child[1];
    output_ = from_child[0];
}

child_process::~child_process() {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
    ::close(input_);
    ::close(output_);
}

std::optional<std::string> child_process::read_line(double seconds) {
    const auto until = monotonic_seconds() + seconds;
    while (true) {
        if (const auto end = arrived_.find('\n'); end != std::string::npos) {
            auto line = arrived_.substr(0, end);
            arrived_.erase(0, end + 1);
            return line;
        }
        pollfd waited{output_, POLLIN, 0};
        const auto left = static_cast<int>((until - monotonic_seconds()) * 1e3);
        if (left <= 0 || ::poll(&waited, 1, left) <= 0) return std::nullopt;
        std::array<char, 4096> part;
        const auto got = ::read(output_, part.data(), part.size());
        if (got <= 0) return std::nullopt;
        arrived_.append(part.data(), static_cast<std::size_t>(got));
    }
}

void child_process::write_line(const std::string& line) {
    const auto text = line + "\n";
    if (::write(input_, text.data(), text.size()) < 0) throw std::system_error(errno, std::generic_category(), "write");
}

// It stays a zombie until it is waited for.
bool child_process::has_ended() const {
    siginfo_t what{};
    return ::waitid(P_PID, static_cast<id_t>(id_), &what, WEXITED | WNOHANG | WNOWAIT) == 0 && what.si_pid == id_;
}

void child_process::send_signal(int signal) { ::kill(id_, signal); }

}  // namespace strandline::bench
