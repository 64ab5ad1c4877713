// When to stop, and the signals that say so. Signal state is the process's: there is one of these at a time.
#pragma once

#include <chrono>
#include <optional>

namespace strandline::apps::consume {

// SIGINT and SIGTERM ask to stop; the second of them ends the process at once, with status 130. SIGUSR1 asks for an
// explanation. A system call that blocks is interrupted by all of them, and again every tenth of a second once a stop
// has been asked for: a signal that came just before the call is not missed.
class stop {
public:
    using clock = std::chrono::steady_clock;
    // How long what must still be done after a signal may take.
    static constexpr auto patience = std::chrono::seconds(5);

    // `after`: asked for by itself then. `tick`: how often to interrupt a blocked system call until then.
    explicit stop(std::optional<std::chrono::milliseconds> after, std::optional<std::chrono::milliseconds> tick = {});
    ~stop();
    stop(const stop&) = delete;
    stop& operator=(const stop&) = delete;

    bool requested() const noexcept;
    bool by_signal() const noexcept;
    // Somebody found out that nobody reads any more.
    void output_closed() noexcept { output_closed_ = true; }
    // By when everything must be over: nothing as long as nobody has been asked to hurry.
    clock::time_point deadline() const noexcept;
    // No later than what is left until `after`.
    std::chrono::milliseconds at_most(std::chrono::milliseconds wait) const noexcept;

    bool take_explanation_wanted() noexcept;

private:
    std::optional<clock::time_point> at_;
    bool output_closed_ = false;
};

}  // namespace strandline::apps::consume
