#include "asio/reactor_host.hpp"

#include <exception>
#include <optional>
#include <pthread.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): of POSIX, for pthread_sigmask
#include <thread>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "asio/asio_clock.hpp"
#include "asio/asio_scheduler.hpp"
#include "asio/asio_transport.hpp"
#include "asio/cares_resolver.hpp"
#include "asio/system_random.hpp"
#include "reactor/reactor.hpp"
#include "reactor/stop_reason.hpp"

namespace strandline::asio {

namespace {

// Signals belong to the application's threads: a new thread inherits a mask that lets none through.
class all_signals_blocked {
public:
    all_signals_blocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~all_signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    all_signals_blocked(const all_signals_blocked&) = delete;
    all_signals_blocked& operator=(const all_signals_blocked&) = delete;

private:
    sigset_t before_{};
};

}  // namespace

class reactor_host::engine final : private handoff::reactor_waker {
public:
    engine(const core::boundary::core_config& config, handoff::handoff& application)
        : config_(config),
          application_(application),
          transport_(context_),
          resolver_(context_),
          scheduler_(context_),
          reactor_(config_, {transport_, resolver_, clock_, random_, scheduler_}, application_, [this] { shut(); }) {
        transport_.report_to(reactor_);
        resolver_.report_to(reactor_);
        scheduler_.on_turn([this] { reactor_.turn(); });
        const all_signals_blocked for_the_new_thread;
        thread_ = std::thread([this] { run(); });
        application_.set_reactor_waker(this);
    }

    ~engine() {
        application_.set_reactor_waker(nullptr);
        boost::asio::post(context_, [this] { shut(); });
        thread_.join();
        application_.fail_all(reactor::closed_reason());
    }
    engine(const engine&) = delete;
    engine& operator=(const engine&) = delete;

private:
    void signal() noexcept override { scheduler_.wake(); }

    void run() {
        pthread_setname_np(pthread_self(), thread_name);
        for (;;) {
            try {
                context_.run();
                return;
            } catch (const std::exception& failure) {
                // Out of a turn, or of what the network brought: memory ran out, or a fault of ours. The consumer is
                // over, its program is not.
                application_.fail_all(reactor::failure_reason(failure));
                shut();
            }
        }
    }

    void shut() {
        scheduler_.shut();
        transport_.shut();
        resolver_.shut();
        work_.reset();
    }

    core::boundary::core_config config_;
    handoff::handoff& application_;
    boost::asio::io_context context_{1};
    std::optional<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> work_{
        context_.get_executor()};
    asio_transport transport_;
    cares_resolver resolver_;
    asio_clock clock_;
    system_random random_;
    asio_scheduler scheduler_;
    reactor::reactor reactor_;
    std::thread thread_;
};

reactor_host::reactor_host(const core::boundary::core_config& config, handoff::handoff& application)
    : engine_(std::make_unique<engine>(config, application)) {}

reactor_host::~reactor_host() = default;

}  // namespace strandline::asio
