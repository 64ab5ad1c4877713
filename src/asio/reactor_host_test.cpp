#include "asio/reactor_host.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace strandline::asio {
namespace {

namespace command = core::boundary::command;

// Nobody listens there.
core::boundary::core_config alone() {
    core::boundary::core_config config;
    config.bootstrap_servers = {{"127.0.0.1", 1}};
    return config;
}

// What the operating system says of the host's thread; it has begun, as it has completed a call.
std::string status_of_thread() {
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::string name;
        std::getline(std::ifstream(task.path() / "comm"), name);
        if (name != reactor_host::thread_name) continue;
        std::ifstream status(task.path() / "status");
        return {std::istreambuf_iterator<char>(status), {}};
    }
    return {};
}

TEST(reactor_host, ends_what_is_outstanding_when_it_ends) {
    handoff::handoff meeting;
    auto host = std::make_unique<reactor_host>(alone(), meeting);
    handoff::operation call(base::never);
    meeting.submit(call, command::list_topics{});
    host.reset();
    ASSERT_TRUE(meeting.has_ended(call));
    EXPECT_EQ(call.take_outcome().error(), errc::consumer_closed);
    handoff::operation late(base::never);
    meeting.submit(late, command::list_topics{});
    EXPECT_TRUE(meeting.has_ended(late));
}

TEST(reactor_host, keeps_the_signals_of_the_application_from_its_thread) {
    handoff::handoff meeting;
    reactor_host host(alone(), meeting);
    handoff::operation call(base::never);
    meeting.submit(call, command::assign{});
    meeting.park(call, base::never);
    const auto status = status_of_thread();
    const auto at = status.find("SigBlk:");
    ASSERT_NE(at, std::string::npos) << "no thread is called " << reactor_host::thread_name;
    const auto blocked = std::stoull(status.substr(at + 7), nullptr, 16);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGCHLD, SIGALRM}) {
        EXPECT_NE(blocked & (1ULL << static_cast<unsigned>(signal - 1)), 0U) << signal;
    }
    sigset_t here;
    pthread_sigmask(SIG_SETMASK, nullptr, &here);
    EXPECT_EQ(sigismember(&here, SIGUSR1), 0) << "the application's own mask is as it was";
}

}  // namespace
}  // namespace strandline::asio
