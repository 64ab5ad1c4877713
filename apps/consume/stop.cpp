#include "apps/consume/stop.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <unistd.h>

namespace strandline::apps::consume {

namespace {

std::atomic<std::int64_t> stopped_at{0};  // nanoseconds of the steady clock; 0: not yet
std::atomic<bool> explanation_wanted{false};
std::atomic<timer_t> interrupter{};
static_assert(std::atomic<std::int64_t>::is_always_lock_free && std::atomic<timer_t>::is_always_lock_free,
              "read and written in signal handlers");

constexpr auto signal_tick = std::chrono::milliseconds(100);

timespec as_timespec(std::chrono::milliseconds time) {
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(time);
    timespec made{};
    made.tv_sec = static_cast<time_t>(whole.count());
    made.tv_nsec = static_cast<decltype(made.tv_nsec)>(std::chrono::nanoseconds(time - whole).count());
    return made;
}

// Async-signal-safe. Zero would disarm.
void interrupt_from(std::chrono::milliseconds first, std::chrono::milliseconds interval) {
    itimerspec when{};
    when.it_value = as_timespec(std::max(first, std::chrono::milliseconds(1)));
    when.it_interval = as_timespec(interval);
    timer_settime(interrupter.load(), 0, &when, nullptr);
}

extern "C" void on_stop_signal(int) {
    const auto error = errno;
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    std::int64_t none = 0;
    if (!stopped_at.compare_exchange_strong(none, std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec)) _exit(130);
    interrupt_from(signal_tick, signal_tick);
    errno = error;
}
extern "C" void on_explain_signal(int) { explanation_wanted = true; }
extern "C" void on_tick(int) {}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    // No SA_RESTART: a blocked write is to return.
    sigaction(signal, &action, nullptr);
}

}  // namespace

stop::stop(std::optional<std::chrono::milliseconds> after, std::optional<std::chrono::milliseconds> tick) {
    stopped_at = 0;
    explanation_wanted = false;
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGALRM;
    timer_t timer{};
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    interrupter = timer;
    handle(SIGALRM, on_tick);
    handle(SIGUSR1, on_explain_signal);
    handle(SIGINT, on_stop_signal);
    handle(SIGTERM, on_stop_signal);
    handle(SIGPIPE, SIG_IGN);
    if (after) at_ = clock::now() + *after;
    if (after || tick) {
        const auto first = std::min(after.value_or(std::chrono::hours(1)), tick.value_or(std::chrono::hours(1)));
        interrupt_from(first, tick.value_or(signal_tick));
    }
}

stop::~stop() {
    for (const int each : {SIGINT, SIGTERM, SIGUSR1, SIGALRM}) handle(each, SIG_DFL);
    timer_delete(interrupter.load());
}

bool stop::by_signal() const noexcept { return stopped_at != 0; }

bool stop::requested() const noexcept { return by_signal() || output_closed_ || (at_ && clock::now() >= *at_); }

stop::clock::time_point stop::deadline() const noexcept {
    const auto at = stopped_at.load();
    if (at == 0) return clock::time_point::max();
    return clock::time_point(std::chrono::duration_cast<clock::duration>(std::chrono::nanoseconds(at))) + patience;
}

std::chrono::milliseconds stop::at_most(std::chrono::milliseconds wait) const noexcept {
    if (!at_) return wait;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*at_ - clock::now());
    return std::clamp(left, std::chrono::milliseconds(0), wait);
}

bool stop::take_explanation_wanted() noexcept { return explanation_wanted.exchange(false); }

}  // namespace strandline::apps::consume
