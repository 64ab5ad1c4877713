// strandline: consumes topics from the command line, and serves a fake cluster to try it on.
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <variant>

#include <fmt/format.h>

#include "apps/command_line/command_line.hpp"
#include "apps/consume/consume_command.hpp"
#include "apps/fake/fake_command.hpp"

namespace {

namespace command_line = strandline::apps::command_line;

// A closed standard stream must not become the number of a socket, which output would then go to.
void hold_standard_streams() {
    for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(each, F_GETFD) < 0) static_cast<void>(open("/dev/null", each == STDERR_FILENO ? O_WRONLY : O_RDONLY));
    }
}

int run(const command_line::help_text& help) {
    fmt::print("{}", help.text);
    return std::fflush(stdout) == 0 ? 0 : 1;
}

int run(const command_line::usage_error& wrong) {
    const auto space = wrong.command.empty() ? "" : " ";
    fmt::print(stderr, "strandline{}{}: {}\n", space, wrong.command, wrong.text);
    fmt::print(stderr, "See strandline {} --help\n", wrong.command.empty() ? "COMMAND" : wrong.command);
    return 2;
}

int run(const command_line::consume_options& options) { return strandline::apps::consume::run(options); }

int run(const command_line::fake_options& options) { return strandline::apps::fake::run(options); }

}  // namespace

int main(int argc, char** argv) {
    hold_standard_streams();
    try {
        return std::visit([](const auto& asked) { return run(asked); }, command_line::read(argc, argv));
    } catch (const std::exception& failure) {
        fmt::print(stderr, "strandline: {}\n", failure.what());
        return 1;
    }
}
