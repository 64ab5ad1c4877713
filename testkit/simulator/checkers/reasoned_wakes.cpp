// V4. A wait of the application ends for a reason: the gate's version is newer than the one it parked on, and the look
// that follows finds something, be it only a fence to be met.
#include <memory>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

// In a row. A slot that opens again wakes whoever waits, whether anything of it is buffered or not.
constexpr int vain_wakes = 2;

class reasoned_wakes final : public checker {
public:
    reasoned_wakes() noexcept
        : checker("V4", "nobody is woken without a reason",
                  happenings_of<observed::parked, observed::woken, observed::looked, observed::slot_updated,
                                observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        auto& state = consumers_[seen.consumer];
        if (const auto* parked = std::get_if<observed::parked>(&seen.what)) {
            state.parked_on = parked->version;
        } else if (const auto* woken = std::get_if<observed::woken>(&seen.what)) {
            on_woken(seen, state, *woken);
        } else if (const auto* looked = std::get_if<observed::looked>(&seen.what)) {
            on_looked(seen, state, *looked);
        } else if (std::holds_alternative<observed::slot_updated>(seen.what)) {
            state.slots_moved = true;
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct memory {
        std::uint64_t parked_on = 0;
        bool expects_something = false;
        bool slots_moved = false;
        int in_vain = 0;
    };

    void on_woken(const observation& seen, memory& state, const observed::woken& woken) {
        if (woken.why == observed::woken::reason::deadline) return;
        if (woken.version <= state.parked_on) {
            complain(
                seen.at, seen.consumer, {},
                fmt::format("woken at version {} though it had parked on version {}", woken.version, state.parked_on));
        }
        state.expects_something = woken.why == observed::woken::reason::visible;
    }

    void on_looked(const observation& seen, memory& state, const observed::looked& looked) {
        const bool expected = std::exchange(state.expects_something, false);
        const bool moved = std::exchange(state.slots_moved, false);
        if (looked.what != observed::looked::found::nothing || !expected || moved) {
            state.in_vain = 0;
        } else if (++state.in_vain == vain_wakes) {
            complain(seen.at, seen.consumer, {}, "woken again and again, and there was nothing to find");
        }
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> wakes_have_reasons() { return std::make_unique<reasoned_wakes>(); }

}  // namespace strandline::testkit::sim::checkers
